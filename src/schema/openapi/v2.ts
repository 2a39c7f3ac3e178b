import type { JsonObject } from '../../meta/object.ts';
import type { ComponentBuilder } from './components.ts';
import { SharedParameters, type Parameter } from './parameters.ts';
import {
  addReferencedComponents,
  operationExtensions,
  TEXT,
  type ApiOperation,
  type ApiParameter,
  type ApiPath,
} from './paths.ts';
import { writeObject } from './text.ts';
import { describe, type DocumentInfo, type OperationNames } from './v3.ts';

/** The Swagger 2.0 document over all paths, as pieces of its text. */
export function* writeV2(
  paths: Iterable<ApiPath>,
  components: ComponentBuilder,
  info: DocumentInfo,
  names: OperationNames,
): Generator<string, void> {
  const shared = new SharedParameters();
  yield `{"swagger":"2.0","info":${JSON.stringify(info)},"paths":`;
  const named = new Set<string>();
  yield* writeObject(paths, (path) => {
    addReferencedComponents(path, named);
    return [path.path, pathItem(path, components, names, shared)];
  });
  yield ',"definitions":';
  const definitions = components.closure(named);
  yield* writeObject(definitions, (name) => [name, components.component(name)]);
  yield `,"parameters":${JSON.stringify(shared.definitions())}`;
  yield ',"securityDefinitions":{"BearerToken":{"in":"header","name":"authorization","type":"apiKey"}}';
  yield ',"security":[{"BearerToken":[]}]}';
}

function pathItem(
  path: ApiPath,
  components: ComponentBuilder,
  names: OperationNames,
  shared: SharedParameters,
): JsonObject {
  const item: JsonObject = {};
  for (const operation of path.operations) {
    item[operation.method] = makeOperation(operation, components, names, shared);
  }
  if (path.parameters.length > 0) {
    item.parameters = path.parameters.map((parameter) => shared.refer(makeParameter(parameter)));
  }
  return item;
}

function makeOperation(
  operation: ApiOperation,
  components: ComponentBuilder,
  names: OperationNames,
  shared: SharedParameters,
): JsonObject {
  const { body, consumes, id, produces, tag } = operation;
  const parameters = operation.parameters.map((parameter) => shared.refer(makeParameter(parameter)));
  if (body !== undefined) {
    const required = body.required ? { required: true } : {};
    const schema = components.reference(body.component);
    parameters.unshift(shared.refer({ name: 'body', in: 'body', ...required, schema }));
  }
  return {
    ...(consumes === undefined ? {} : { consumes: [...consumes] }),
    produces: [...produces],
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: makeResponses(operation, components),
    ...operationExtensions(operation, names),
  };
}

function makeResponses({ answer, codes }: ApiOperation, components: ComponentBuilder): JsonObject {
  const schema = answer === TEXT ? { type: 'string' } : components.reference(answer);
  const responses: JsonObject = {};
  for (const code of codes) responses[String(code)] = { description: describe(code), schema };
  responses['401'] = { description: describe(401) };
  return responses;
}

function makeParameter({ name, in: where, type }: ApiParameter): Parameter {
  return { uniqueItems: true, type, name, in: where, ...(where === 'path' ? { required: true } : {}) };
}
