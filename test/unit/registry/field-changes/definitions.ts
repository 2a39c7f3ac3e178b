import type { Json, JsonObject } from '../../../../src/meta/object.ts';
import type { Change } from './change.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Where the schema of all versions is: earlier releases had it there. */
const SCHEMA = 'spec.validation.openAPIV3Schema';
const version = (fields: JsonObject): JsonObject => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...fields,
});
const definition = (spec: JsonObject, ofVersion: JsonObject = {}): JsonObject => ({
  metadata: { name: 'olds.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'olds', kind: 'Old' },
    scope: 'Namespaced',
    versions: [version(ofVersion)],
    ...spec,
  },
});
const client = { url: 'https://127.0.0.1:1/x' };
const withSchema = (schema: JsonObject): JsonObject =>
  definition({}, { schema: { openAPIV3Schema: schema } });

/** Fields of definitions that each version has for itself now, or that are elsewhere. */
const moved = ([field, value]: [string, Json]): Change => ({
  title: `definitions have none for all versions: ${field}`,
  path,
  object: definition({ [field]: value }),
  unknown: `spec.${field}`,
});

const notStructural: readonly (readonly [title: string, schema: JsonObject, refused: readonly string[]])[] = [
  ['have a type', {}, [`Required ${SCHEMA}.type`]],
  ['are those of objects', { type: 'array', items: { type: 'string' } }, [`Invalid ${SCHEMA}.type`]],
  [
    'have types for all fields',
    { type: 'object', properties: { spec: {} } },
    [`Required ${SCHEMA}.properties[spec].type`],
  ],
  [
    'have types for items',
    { type: 'object', properties: { a: { type: 'array', items: {} } } },
    [`Required ${SCHEMA}.properties[a].items.type`],
  ],
  [
    'say what lists are of',
    { type: 'object', properties: { a: { type: 'array' } } },
    [`Required ${SCHEMA}.properties[a].items`],
  ],
  [
    'have no types within conditions',
    { type: 'object', properties: { a: { type: 'string', anyOf: [{ type: 'string' }] } } },
    [`Forbidden ${SCHEMA}.properties[a].anyOf[0].type`],
  ],
  [
    'know the fields that conditions are about',
    { type: 'object', oneOf: [{ properties: { a: { minLength: 1 } } }] },
    [`Required ${SCHEMA}.properties[a]`],
  ],
  [
    'leave metadata alone',
    {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
    },
    [`Forbidden ${SCHEMA}.properties[metadata]`],
  ],
  [
    'have no further fields at the root',
    { type: 'object', additionalProperties: { type: 'string' } },
    [`Forbidden ${SCHEMA}.additionalProperties`],
  ],
];

export const DEFINITION_CHANGES: readonly Change[] = [
  {
    title: 'definitions have a scope',
    path,
    object: definition({ scope: null }),
    refused: ['Required spec.scope'],
  },
  ...Object.entries({
    version: 'v1',
    validation: { openAPIV3Schema: { type: 'object' } },
    subresources: { status: {} },
    additionalPrinterColumns: [],
  }).map(moved),
  {
    title: 'versions have schema, subresources and columns',
    path,
    object: definition(
      {},
      {
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }],
      },
    ),
    has: {
      '/spec/versions/0/subresources': { status: {} },
      '/spec/versions/0/additionalPrinterColumns/0/jsonPath': '.a',
    },
  },
  {
    title: 'the JSONPath of columns has another name',
    path,
    object: definition({}, { additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.a' }] }),
    unknown: 'spec.versions[0].additionalPrinterColumns[0].JSONPath',
  },
  ...['webhookClientConfig', 'conversionReviewVersions'].map((field): Change => ({
    title: `the webhook of conversions has its fields: ${field}`,
    path,
    object: definition({
      conversion: {
        strategy: 'Webhook',
        [field]: field === 'webhookClientConfig' ? client : ['v1'],
        webhook: { clientConfig: client, conversionReviewVersions: ['v1'] },
      },
    }),
    unknown: `spec.conversion.${field}`,
  })),
  {
    title: 'conversions by a webhook',
    path,
    object: definition({
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: client, conversionReviewVersions: ['v1'] },
      },
    }),
    has: { '/spec/conversion/webhook/conversionReviewVersions': ['v1'] },
  },
  {
    title: 'versions have a schema',
    path,
    object: definition({}, { schema: null }),
    refused: ['Required spec.versions[0].schema.openAPIV3Schema'],
  },
  {
    title: 'unknown fields are not kept',
    path,
    object: definition({ preserveUnknownFields: true }),
    refused: ['Invalid spec.preserveUnknownFields'],
  },
  ...notStructural.map(([title, schema, refused]): Change => ({
    title: `schemas of versions ${title}`,
    path,
    object: withSchema(schema),
    refused,
  })),
];
