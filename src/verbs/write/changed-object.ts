import { conflictError, invalidError } from '../../errors/status-errors.ts';
import { invalid } from '../../errors/field-error.ts';
import type { ResourceHooks } from '../../registry/hooks.ts';
import type { ApiObject, ObjectMeta } from '../../meta/object.ts';
import { parseRevision, ZERO_REVISION } from '../../meta/revision.ts';
import { keepTimesOfNoChange } from '../../schema/ownership/update-ownership.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import { sameContent } from '../../registry/generation.ts';
import { agreeOnNamespace, checkChangedMetadata } from './metadata.ts';
import type { Held } from './held.ts';
import { checkedKind } from './checked-kind.ts';
import { mutate } from './mutate.ts';
import { warnAboutOwners } from './new-object.ts';
import { keepAllButStatus, keepStatus } from './status.ts';
import { admissionRequest, hookContext, type Writing } from './writing.ts';

/**
 * Takes a changed object through everything between its request and the store.
 *
 * @param object what the request makes of `old`; changed in place. @param old what is stored; not changed.
 * @param held takes what is set aside for it. @throws ApiError 400, 403, 409, 422, 500.
 */
export async function completeChangedObject(
  writing: Writing,
  object: ApiObject,
  old: ApiObject,
  held: Held,
): Promise<ApiObject> {
  const { admission, hooksOf, rules } = writing.dependencies;
  const { metadata: meta } = object;
  const { metadata: oldMeta } = old;
  warnAboutOwners(writing, meta);
  writing.own(writing, old, object);
  await mutate(writing, 'UPDATE', { object, old });
  warnAboutOwners(writing, meta);
  checkVersion(writing, meta, oldMeta);
  agreeOnNamespace(meta, writing.request);
  await hooksOf(writing.request.resource).mayWrite?.(object, old, hookContext(writing));
  if (writing.part === '') await held.take(writing, object, old);
  prepare(writing, object, old);
  keepServerFields(meta, oldMeta);
  await rules.load(writing.request.resource.type);
  validate(writing, object, old);
  keepTimesOfNoChange(object, old);
  await admission.validate({ ...admissionRequest(writing, 'UPDATE', object, old), onUndo: held.add });
  return object;
}

/** An update names the version it changes, or none where the kind allows that. */
function checkVersion({ request }: Writing, meta: ObjectMeta, old: ObjectMeta): void {
  const { resource, name } = request;
  const sent = meta.resourceVersion ?? '';
  const revision = sent === '' ? ZERO_REVISION : parseRevision(sent);
  if (revision === undefined) {
    throw badRequestError(`metadata.resourceVersion is not a version: ${JSON.stringify(sent)}`);
  }
  if (revision === ZERO_REVISION) {
    if (!resource.allowUnconditionalUpdate) {
      // Told of the resource, not of the kind, since clients know it so.
      throw invalidError({ ...checkedKind(resource), kind: resource.resource }, name, [
        invalid('metadata.resourceVersion', sent, 'an update must name the version that it changes'),
      ]);
    }
    meta.resourceVersion = old.resourceVersion ?? '';
  } else if (revision !== parseRevision(old.resourceVersion ?? '')) {
    throw conflictError(
      resource,
      name,
      'the object has been modified; apply your changes to its latest version and try again',
    );
  }
}

function prepare(writing: Writing, object: ApiObject, old: ApiObject): void {
  const { resource } = writing.request;
  const hooks = writing.dependencies.hooksOf(resource);
  const context = hookContext(writing);
  const generation = old.metadata.generation;
  if (generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = generation;
  switch (writing.part) {
    case '':
      keepStatus(resource, object, old);
      hooks.prepareForUpdate?.(object, old, context);
      if (resource.hasGeneration && countsAsChange(object, old, hooks)) {
        object.metadata.generation = (generation ?? 0) + 1;
      }
      break;
    case 'status':
      keepAllButStatus(object, old);
      hooks.status?.prepareForUpdate(object, old, context);
      break;
    default:
      hooks.subresources?.[writing.part]?.prepareForUpdate(object, old, context);
  }
}

/** Whether an update asks for something new. */
function countsAsChange(object: ApiObject, old: ApiObject, hooks: ResourceHooks): boolean {
  return hooks.countsAsChange === undefined ? !sameContent(object, old) : hooks.countsAsChange(object, old);
}

/** What an update can't take away or set: identity, and a deletion that is under way. */
function keepServerFields(meta: ObjectMeta, old: ObjectMeta): void {
  if (!meta.uid && old.uid !== undefined) meta.uid = old.uid;
  meta.creationTimestamp = old.creationTimestamp ?? null;
  if (old.deletionTimestamp != null) meta.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined) {
    meta.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
  }
  delete meta.selfLink;
}

function validate(writing: Writing, object: ApiObject, old: ApiObject): void {
  const { resource, context, name } = writing.request;
  const hooks = writing.dependencies.hooksOf(resource);
  const { rules: book } = writing.dependencies;
  const itself = writing.part === '';
  const rules = itself
    ? hooks
    : writing.part === 'status'
      ? hooks.status
      : hooks.subresources?.[writing.part];
  const holdsAll = hooks.subresources?.[writing.part]?.rulesOfAll === true;
  const errors = [
    ...checkChangedMetadata(writing, object.metadata, old.metadata),
    ...(itself || holdsAll
      ? [...book.check(resource.type, object, old), ...(hooks.validate?.(object) ?? [])]
      : []),
    ...(writing.part === 'status' ? book.checkStatus(resource.type, object, old) : []),
    ...(rules?.validateUpdate?.(object, old) ?? []),
  ];
  if (errors.length > 0) throw invalidError(checkedKind(resource), name, errors);
  if (itself) for (const text of hooks.warnings?.(object, old) ?? []) context.warn(text);
}
