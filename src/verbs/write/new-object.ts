import { invalidError } from '../../errors/status-errors.ts';
import type { ApiObject, ObjectMeta } from '../../meta/object.ts';
import { generateName } from '../../meta/generate-name.ts';
import { agreeOnNamespace, checkNewMetadata } from './metadata.ts';
import type { Held } from './held.ts';
import { checkedKind } from './checked-kind.ts';
import { mutate } from './mutate.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { resetStatus } from './status.ts';
import { admissionRequest, hookContext, timestamp, type Writing } from './writing.ts';

/**
 * Takes a decoded object through everything between its request and the store: what the server decides about it,
 * ownership, admission, the kind's rules.
 *
 * @param object changed in place. @param held takes what is set aside for it. @throws ApiError 400, 403, 422, 500.
 */
export async function completeNewObject(writing: Writing, object: ApiObject, held: Held): Promise<ApiObject> {
  const { dependencies, request } = writing;
  const { admission } = dependencies;
  const meta = object.metadata;
  agreeOnNamespace(meta, request);
  forgetServerFields(meta);
  warnAboutOwners(writing, meta);
  writing.own(writing, undefined, object);
  await mutate(writing, 'CREATE', { object, old: undefined });
  warnAboutOwners(writing, meta);
  await dependencies.hooksOf(request.resource).mayWrite?.(object, undefined, hookContext(writing));
  stamp(writing, meta);
  await held.take(writing, object);
  prepare(writing, object);
  await dependencies.rules.load(request.resource.type);
  validate(writing, object);
  await admission.validate({
    ...admissionRequest(writing, 'CREATE', object, undefined),
    onUndo: held.add,
  });
  return object;
}

/** What only the server sets. */
const SERVER_FIELDS = [
  'uid',
  'resourceVersion',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
] as const;

/**
 * Takes away what the client must not set. Hot: an object that a property was deleted from is slow ever after, so only
 * those go that are there; every object has a creationTimestamp, which is null until it is set.
 */
function forgetServerFields(meta: ObjectMeta): void {
  for (const field of SERVER_FIELDS) if (meta[field] !== undefined) delete meta[field];
  if (meta.creationTimestamp !== undefined) meta.creationTimestamp = null;
}

/** Gives the object its identity; a name, if it has none and says how one is made. */
function stamp(writing: Writing, meta: ObjectMeta): void {
  const { dependencies } = writing;
  meta.uid = dependencies.newUid();
  meta.creationTimestamp = timestamp(writing);
  if (!meta.name && meta.generateName) meta.name = generateName(meta.generateName, dependencies.random);
}

function prepare(writing: Writing, object: ApiObject): void {
  const { resource } = writing.request;
  const hooks = writing.dependencies.hooksOf(resource);
  if (hooks.keepsStatusOnCreate !== true) resetStatus(resource, object);
  if (resource.hasGeneration) object.metadata.generation = 1;
  hooks.prepareForCreate?.(object, hookContext(writing));
}

function validate(writing: Writing, object: ApiObject): void {
  const { resource, context } = writing.request;
  const { hooksOf, rules } = writing.dependencies;
  const hooks = hooksOf(resource);
  const errors = [
    ...checkNewMetadata(writing, object.metadata),
    ...rules.check(resource.type, object),
    ...(hooks.validate?.(object) ?? []),
  ];
  if (errors.length > 0) throw invalidError(checkedKind(resource), object.metadata.name ?? '', errors);
  for (const text of hooks.warnings?.(object, undefined) ?? []) context.warn(text);
}

/** Drops owners that are named twice, and says so. */
export function warnAboutOwners({ request }: Writing, meta: ObjectMeta): void {
  const repeated = dropRepeatedOwners(meta);
  if (repeated.length === 0) return;
  request.context.warn(
    `metadata.ownerReferences names an owner more than once, kept once: ${repeated.join(', ')}`,
  );
}
