import { STATUS_CODES } from 'node:http';
import type { JsonObject } from '../../meta/object.ts';
import type { ComponentBuilder } from './components.ts';
import {
  addReferencedComponents,
  operationExtensions,
  TEXT,
  type ApiOperation,
  type ApiParameter,
  type ApiPath,
} from './paths.ts';
import { writeObject } from './text.ts';

/** What heads every document. */
export interface DocumentInfo {
  readonly title: string;
  /** `major.minor` */
  readonly version: string;
}

export interface OperationNames {
  readonly action: string;
  readonly kind: string;
}

/** Responses must have a description; there is not more to say than the status does. */
export function describe(code: number): string {
  return STATUS_CODES[code] ?? String(code);
}

const SECURITY = { BearerToken: { in: 'header', name: 'authorization', type: 'apiKey' } };

/**
 * An OpenAPI 3.0 document with the given paths and every component they lead to, as pieces of its text: whoever collects
 * them may pause between two.
 */
export function* writeV3(
  paths: Iterable<ApiPath>,
  components: ComponentBuilder,
  info: DocumentInfo,
  names: OperationNames,
): Generator<string, void> {
  yield `{"openapi":"3.0.0","info":${JSON.stringify(info)},"paths":`;
  const named = new Set<string>();
  yield* writeObject(paths, (path) => {
    addReferencedComponents(path, named);
    return [path.path, pathItem(path, components, names)];
  });
  yield ',"components":{';
  const schemas = components.closure(named);
  if (schemas.length > 0) {
    yield '"schemas":';
    yield* writeObject(schemas, (name) => [name, components.component(name)]);
    yield ',';
  }
  yield `"securitySchemes":${JSON.stringify(SECURITY)}}}`;
}

function pathItem(path: ApiPath, components: ComponentBuilder, names: OperationNames): JsonObject {
  const item: JsonObject = {};
  for (const operation of path.operations)
    item[operation.method] = makeOperation(operation, components, names);
  if (path.parameters.length > 0) item.parameters = path.parameters.map(makeParameter);
  return item;
}

function makeOperation(
  operation: ApiOperation,
  components: ComponentBuilder,
  names: OperationNames,
): JsonObject {
  const { id, tag, parameters, body, consumes = [] } = operation;
  return {
    tags: [tag],
    operationId: id,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(makeParameter) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: content(consumes, components.reference(body.component)),
            ...(body.required ? { required: true } : {}),
          },
        }),
    responses: makeResponses(operation, components),
    ...operationExtensions(operation, names),
  };
}

function makeResponses({ answer, codes, produces }: ApiOperation, components: ComponentBuilder): JsonObject {
  const schema = answer === TEXT ? { type: 'string' } : components.reference(answer);
  const responses: JsonObject = {};
  for (const code of codes) {
    responses[String(code)] = { description: describe(code), content: content(produces, schema) };
  }
  responses['401'] = { description: describe(401) };
  return responses;
}

function content(mediaTypes: readonly string[], schema: JsonObject): JsonObject {
  return Object.fromEntries([...mediaTypes].sort().map((mediaType) => [mediaType, { schema }]));
}

function makeParameter({ name, in: where, type }: ApiParameter): JsonObject {
  return {
    name,
    in: where,
    ...(where === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  };
}
