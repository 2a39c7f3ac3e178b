import type { JsonObject } from '../../meta/object.ts';

/** A document's paths before they take the form of an OpenAPI version. */
export interface ApiPath {
  readonly path: string;
  /** Shared by all operations; sorted. */
  readonly parameters: readonly ApiParameter[];
  /** In the order get, put, post, delete, options, head, patch. */
  readonly operations: readonly ApiOperation[];
}

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

export interface ApiOperation {
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly action?: string;
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Query parameters that other operations of the path don't have; sorted. */
  readonly parameters: readonly ApiParameter[];
  readonly body?: { readonly component: string; readonly required: boolean };
  /** Media types; absent where Swagger leaves them out. */
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
  /** What a success answers: a component, or text. The same for all success codes. */
  readonly answer: string;
  readonly codes: readonly number[];
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
}

/** `answer` of operations that don't answer with an object. */
export const TEXT = 'string';

/** An operation before parameters are shared out between it and its path. */
export type OperationDraft = Omit<ApiOperation, 'parameters'> & {
  readonly parameters: readonly ApiParameter[];
};

const METHOD_ORDER: readonly Method[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Puts operations together to a path: parameters that all of them have become the path's. */
export function makePath(path: string, drafts: readonly OperationDraft[]): ApiPath {
  const counts = new Map<string, number>();
  for (const { parameters } of drafts) {
    for (const parameter of parameters) counts.set(key(parameter), (counts.get(key(parameter)) ?? 0) + 1);
  }
  const shared = new Map<string, ApiParameter>();
  const operations = drafts.map((draft) => {
    const own: ApiParameter[] = [];
    for (const parameter of draft.parameters) {
      if (counts.get(key(parameter)) === drafts.length) shared.set(key(parameter), parameter);
      else own.push(parameter);
    }
    return { ...draft, parameters: own.sort(byName) };
  });
  operations.sort((a, b) => METHOD_ORDER.indexOf(a.method) - METHOD_ORDER.indexOf(b.method));
  return { path, parameters: [...shared.values()].sort(byName), operations };
}

function key(parameter: ApiParameter): string {
  return `${parameter.in}:${parameter.name}`;
}

function byName(a: ApiParameter, b: ApiParameter): number {
  return a.name === b.name ? (a.in < b.in ? -1 : 1) : a.name < b.name ? -1 : 1;
}

/** Adds the names of the components that a path refers to. */
export function addReferencedComponents({ operations }: ApiPath, names: Set<string>): void {
  for (const { answer, body } of operations) {
    if (answer !== TEXT) names.add(answer);
    if (body !== undefined) names.add(body.component);
  }
}

/** Extensions of an operation, the same in both versions. */
export function operationExtensions(
  operation: ApiOperation,
  names: { action: string; kind: string },
): JsonObject {
  return {
    ...(operation.action === undefined ? {} : { [names.action]: operation.action }),
    ...(operation.kind === undefined ? {} : { [names.kind]: { ...operation.kind } }),
  };
}
