import { pathNotFoundError } from '../errors/status-errors.ts';
import type { ApiObject } from '../meta/object.ts';
import type { SubresourceCreation } from '../registry/hooks.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../schema/model.ts';
import { readObject } from './body.ts';
import type { VerbTools } from './dependencies.ts';
import { readWriteOptions } from './options/write-options.ts';
import type { VerbHandler, VerbRequest } from './result.ts';
import { mutate } from './write/mutate.ts';
import { ownChanges } from './write/ownership.ts';
import { admissionRequest, hookContext, type Writing } from './write/writing.ts';

/** POST to a subresource with a kind of its own, which is answered and not stored by itself, such as `token`. */
export function createPart(dependencies: VerbTools): VerbHandler {
  const { metaGroup, hooksOf, parsers } = dependencies;
  const rows = new WeakMap<SubresourceDefinition, ResourceDefinition>();
  return async function create(request) {
    const { context, resource, subresource } = request;
    const creation = creationOf(request, hooksOf(resource).creates);
    if (subresource?.type === undefined || creation === undefined) throw pathNotFoundError();
    let row = rows.get(subresource);
    if (row === undefined) rows.set(subresource, (row = rowOf(resource, subresource, subresource.type)));
    const { query, userAgent } = context;
    const options = readWriteOptions('CreateOptions', { query, userAgent, metaGroup });
    const now = dependencies.clock.now();
    const writing: Writing = { dependencies, request, options, part: '', now, own: ownChanges };
    const body = await readObject(context, row, { fieldValidation: options.fieldValidation, parsers });
    const object = body.take();
    ownChanges({ ...writing, request: { ...request, resource: row } }, undefined, object);
    await mutate(writing, 'CREATE', { object, old: undefined });
    const answered = await answer(writing, creation, object);
    return { kind: 'object', status: 201, resource: row, object: answered };
  };
}

function creationOf(
  { subresource }: VerbRequest,
  creations: Readonly<Record<string, SubresourceCreation>> = {},
): SubresourceCreation | undefined {
  const name = subresource?.name ?? '';
  return Object.hasOwn(creations, name) ? creations[name] : undefined;
}

/** The subresource's kind, in the place of the resource's own. */
function rowOf(
  resource: ResourceDefinition,
  { group, version, kind }: SubresourceDefinition,
  type: ResourceDefinition['type'],
): ResourceDefinition {
  const own = { group, version, kind, listKind: `${kind}List`, type, columns: undefined };
  return { ...resource, ...own, subresources: new Map() };
}

function answer(writing: Writing, creation: SubresourceCreation, object: ApiObject): Promise<ApiObject> {
  const { dependencies, request } = writing;
  const { context, resource, namespace, name } = request;
  const { store, schemas, admission } = dependencies;
  const { signal } = context;
  const read = async (from: ResourceDefinition, place: { namespace: string; name: string }) =>
    store.decode(await store.get({ resource: from, ...place, at: { at: 'latest' }, signal }), from);
  return creation(object, {
    ...hookContext(writing),
    namespace,
    name,
    parent: () => read(resource, { namespace, name }),
    read(core, place) {
      const from = schemas.resource('', 'v1', core);
      if (from === undefined) throw pathNotFoundError();
      return read(from, place);
    },
    admit: () => admission.validate(admissionRequest(writing, 'CREATE', object, undefined)),
    warn: (text) => context.warn(text),
  });
}
