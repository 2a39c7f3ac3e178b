import { badRequestError, conflictError } from '../errors/status-errors.ts';
import type { ApiObject, JsonObject } from '../meta/object.ts';
import type { RequestBody } from '../request/context.ts';
import { DecodeError, decodeObject } from '../schema/codec/decode.ts';
import type { StructType } from '../schema/model.ts';
import { applyConfiguration, type Application, type Applied } from '../schema/merge/apply-configuration.ts';
import { fieldsOfLastApplied, noteLastApplied } from '../schema/merge/last-applied.ts';
import { difference, isEmptySet } from '../schema/ownership/field-set.ts';
import { applyConflictError } from './apply-conflict.ts';
import { readConfiguration, reportProblems, type Configuration } from './configuration.ts';
import type { ExpectedKind } from './body.ts';
import type { VerbTools } from './dependencies.ts';
import { readApplyOptions } from './options/write-options.ts';
import type { VerbRequest, VerbResult } from './result.ts';
import { applyChange } from './write/change.ts';
import { agreeOnName } from './write/metadata.ts';
import { ownAsRecorded, ownershipOf } from './write/ownership.ts';
import { settingsOf, type Writing } from './write/writing.ts';

/** PATCH with a configuration: server-side apply. Creates what isn't there. */
export async function applyObject(
  dependencies: VerbTools,
  request: VerbRequest,
  body: RequestBody,
): Promise<VerbResult> {
  const writing = applyWriting(dependencies, request, request.subresource?.name ?? '');
  const { resource } = request;
  const { defaults } = settingsOf(writing);
  const merge = mergerOf(writing, body, resource);
  const make = (old: ApiObject | undefined): ApiObject => {
    const object = merge({ ...ownershipOf(writing), type: resource.type, old }, defaults);
    refuseOldIdentity(writing, old, object);
    agreeOnName(object.metadata, request);
    return object;
  };
  return applyChange(writing, {
    candidate: (base) => make(base()),
    create: () => make(undefined),
    createsMissing: true,
  });
}

/** A write that applies a configuration, under the rules of a part. @throws ApiError 422 for its options. */
export function applyWriting(dependencies: VerbTools, request: VerbRequest, part: string): Writing {
  const { metaGroup } = dependencies;
  const { query, userAgent } = request.context;
  const options = readApplyOptions({ query, userAgent, metaGroup });
  return { dependencies, request, options, part, now: dependencies.clock.now(), own: ownAsRecorded };
}

/** What a merge is told besides the configuration. */
type MergeRequest = Omit<Application, 'applied' | 'force'>;

/**
 * Makes the function that merges a request's configuration into what is stored, as often as the write needs: it returns
 * the new object with its record of ownership. The configuration is read when it is first needed.
 */
export function mergerOf(
  { dependencies, request, options }: Writing,
  body: RequestBody,
  expected: ExpectedKind,
): (to: MergeRequest, defaults: ((object: ApiObject) => void) | undefined) => ApiObject {
  let configuration: Configuration | undefined;
  let isReported = false;
  const annotation = dependencies.names.get('annotation.last-applied-configuration');
  return function merge(to, defaults) {
    configuration ??= readConfiguration(body, expected, dependencies.parsers);
    const applied = configuration.value;
    const outcome = understand(() =>
      applyAsClient({ ...to, applied, force: options.force === true }, annotation),
    );
    if (outcome.conflicts.length > 0) throw applyConflictError(outcome.conflicts);
    // A conflict comes first, and may be one with what isn't there any more.
    if (!isReported)
      reportProblems(configuration, options.fieldValidation, (text) => request.context.warn(text));
    isReported = true;
    const object = understand(() => objectOf(to, outcome));
    if (outcome.object !== undefined) defaults?.(object);
    if (to.manager === KUBECTL) noteLastApplied(object, applied, annotation);
    return object;
  };
}

/** The client that used to apply by itself, and may have left an annotation that says what. */
const KUBECTL = 'kubectl';

/** Applies; where kubectl would take from others what it had set itself before, it need not be forced to. */
function applyAsClient(application: Application, annotation: string): Applied {
  const outcome = applyConfiguration(application);
  const { type, old, manager } = application;
  if (outcome.conflicts.length === 0 || manager !== KUBECTL || old === undefined) return outcome;
  const allowed = fieldsOfLastApplied(type, old, annotation);
  if (allowed === undefined) return outcome;
  const conflicts = outcome.conflicts
    .map(({ owner, fields }) => ({ owner, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmptySet(fields));
  return conflicts.length > 0
    ? { ...outcome, conflicts }
    : applyConfiguration({ ...application, force: true });
}

/** The object that came out, decoded, with its record. */
function objectOf(
  { type, old }: { type: StructType; old: ApiObject | undefined },
  outcome: Applied,
): ApiObject {
  const merged: JsonObject = outcome.object ?? old ?? {};
  const object = outcome.object === undefined && old !== undefined ? old : decodeObject(type, merged).object;
  if (outcome.managers.length === 0) delete object.metadata.managedFields;
  else object.metadata.managedFields = [...outcome.managers];
  return object;
}

/** 409 for a configuration of an object that was there once: it names its uid. */
function refuseOldIdentity({ request }: Writing, old: ApiObject | undefined, { metadata }: ApiObject): void {
  if (old !== undefined || !metadata.uid) return;
  throw conflictError(
    request.resource,
    request.name,
    `the configuration names the uid ${metadata.uid}, and there is no such object`,
  );
}

/** Values of the right type may still not be ones that a field can hold. */
function understand<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof DecodeError)
      throw badRequestError(`the configuration does not fit its kind: ${error.message}`);
    throw error;
  }
}
