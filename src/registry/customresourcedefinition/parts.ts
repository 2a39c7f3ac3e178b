import { forbidden, invalid } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import { isObject, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { checkSchema } from './schema-rules.ts';
import type { SchemaContext } from './terms.ts';
import { forEachPart } from './shared-parts.ts';
import { structuralErrors } from './structural.ts';
import type { SchemaTerms } from './terms.ts';
import { checkColumn, checkScale } from './version.ts';

const SCHEMA = { field: 'schema', sharedAs: 'validation' };
const SUBRESOURCES = { field: 'subresources', sharedAs: 'subresources' };
const COLUMNS = { field: 'additionalPrinterColumns', sharedAs: 'additionalPrinterColumns' };

export interface PartsContext extends SchemaContext {
  /** Whether schemas that aren't structural are refused. */
  readonly requiresStructure: boolean;
}

/** Rules for the schemas, subresources and columns of all versions. */
export function checkParts(spec: JsonObject, at: FieldPath, context: PartsContext): void {
  const versions = objectsAt(spec, 'versions');
  const isShared = new Set(versions.map((version) => JSON.stringify(version['schema']))).size === 1;
  const { errors } = context;
  forEachPart(versions, at, SCHEMA, (value, path, version) => {
    const schema = isObject(value) ? objectAt(value, 'openAPIV3Schema') : undefined;
    if (schema === undefined) return;
    const withStatus = isShared ? versions.some(hasStatus) : hasStatus(version);
    checkRoot(schema, path.child('openAPIV3Schema'), { ...context, withStatus });
  });
  forEachPart(versions, at, SUBRESOURCES, (value, path) => {
    const scale = isObject(value) ? objectAt(value, 'scale') : undefined;
    if (scale !== undefined) checkScale(scale, path.child('scale'), errors);
  });
  forEachPart(versions, at, COLUMNS, (value, path) => {
    for (const [i, column] of objectsAt({ value: value ?? null }, 'value').entries())
      checkColumn(column, path.index(i), errors);
  });
}

function hasStatus(version: JsonObject): boolean {
  return objectAt(objectAt(version, 'subresources'), 'status') !== undefined;
}

/** What may be said of objects whose status is apart: the schema of the status is found by its name. */
const BESIDE_STATUS: ReadonlySet<string> = new Set(
  (
    'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
    'maxItems minItems uniqueItems multipleOf required items properties externalDocs example'
  ).split(' '),
);

function checkRoot(
  schema: JsonObject,
  at: FieldPath,
  { withStatus, requiresStructure, ...context }: PartsContext & { readonly withStatus: boolean },
): void {
  const { terms, errors } = context;
  const type = textAt(schema, 'type');
  if (withStatus && type !== '' && type !== 'object')
    errors.push(invalid(at.child('type'), type, 'must be object where the status is a subresource'));
  const known = [terms.preserve, terms.validations];
  if (withStatus && Object.keys(schema).some((field) => !BESIDE_STATUS.has(field) && !known.includes(field)))
    errors.push(invalid(at, '', 'may have only simple rules where the status is a subresource'));
  if (schema['nullable'] === true) errors.push(forbidden(at.child('nullable'), 'there is an object'));
  if (requiresStructure) errors.push(...structuralErrors(schema, at, terms));
  checkSchema(schema, at, context);
}

/** Whether the schemas of all versions are structural. */
export function hasStructuralSchemas(spec: JsonObject, terms: SchemaTerms): boolean {
  return objectsAt(spec, 'versions').every((version) => {
    const schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema');
    return schema === undefined || structuralErrors(schema, FieldPath.ROOT, terms).length === 0;
  });
}
