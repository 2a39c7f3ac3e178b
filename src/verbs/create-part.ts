import { badRequestError, pathNotFoundError } from '../errors/status-errors.ts';
import type { ApiObject } from '../meta/object.ts';
import type { CreationOutcome, SubresourceCreation } from '../registry/hooks.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../schema/model.ts';
import { readObject } from './body.ts';
import type { VerbTools } from './dependencies.ts';
import { readWriteOptions } from './options/write-options.ts';
import type { VerbHandler, VerbRequest } from './result.ts';
import { agreeOnNamespace } from './write/metadata.ts';
import { mutate } from './write/mutate.ts';
import { ownChanges } from './write/ownership.ts';
import { admissionRequest, hookContext, type Writing } from './write/writing.ts';
import { StoredNeighbours } from './stored-neighbours.ts';

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
    const expected = { ...row, accepts: otherVersions(dependencies, row) };
    const body = await readObject(context, expected, { fieldValidation: options.fieldValidation, parsers });
    const object = body.take();
    agreeOnNamespace(object.metadata, request);
    ownChanges({ ...writing, request: { ...request, resource: row } }, undefined, object);
    await mutate(writing, 'CREATE', { object, old: undefined });
    const answered = await answer(writing, creation, object);
    return isOutcome(answered)
      ? { kind: 'status', status: answered.outcome }
      : { kind: 'object', status: 201, resource: row, object: answered };
  };
}

function isOutcome(answered: ApiObject | CreationOutcome): answered is CreationOutcome {
  return !('kind' in answered);
}

/** Older versions of a subresource's kind, which have the same form. */
function otherVersions(
  { schemas }: VerbTools,
  { group, kind }: ResourceDefinition,
): (version: string) => boolean {
  return (version) => schemas.decodable(group, version, kind) !== undefined;
}

/** POST of a kind that isn't stored and belongs to the object that it names, such as a Binding. */
export function createForNamed(dependencies: VerbTools, part: VerbHandler, others: VerbHandler): VerbHandler {
  const { hooksOf, schemas, parsers } = dependencies;
  return async function create(request) {
    const { context, resource } = request;
    const target = hooksOf(resource).createdAs;
    if (target === undefined) return others(request);
    const parent = schemas.resource('', 'v1', target.resource);
    const subresource = parent?.subresources.get(target.part);
    if (parent === undefined || subresource === undefined) throw pathNotFoundError();
    const body = await readObject(context, resource, { fieldValidation: 'Ignore', parsers });
    const { name = '' } = body.take().metadata;
    if (name === '') throw badRequestError('the object has no name');
    return part({ ...request, resource: parent, subresource, name });
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

function answer(
  writing: Writing,
  creation: SubresourceCreation,
  object: ApiObject,
): Promise<ApiObject | CreationOutcome> {
  const { dependencies, request, options } = writing;
  const { context, resource, namespace, name } = request;
  const { schemas, admission } = dependencies;
  const objects = new StoredNeighbours(writing);
  return creation(object, {
    ...hookContext(writing),
    namespace,
    name,
    parent: () => objects.read(resource, { namespace, name }),
    read(core, place) {
      const from = schemas.resource('', 'v1', core);
      if (from === undefined) throw pathNotFoundError();
      return objects.read(from, place);
    },
    admit: () => admission.validate(admissionRequest(writing, 'CREATE', object, undefined)),
    warn: (text) => context.warn(text),
    dryRun: options.dryRun,
    list: (group, plural) => objects.list(group, plural),
    change: (neighbour, change) => objects.change(neighbour, change),
    remove: (asked) => objects.remove(asked),
  });
}
