import type { ApiObject, JsonObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { resourcePath } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, isConflict, isNotFound, ServerError } from '../errors.ts';
import type { OutputChoice } from '../print/output-flags.ts';
import { writeQuery, type WriteChoice } from '../write/flags.ts';
import { Report } from '../write/report.ts';
import { oneTarget, type NamedTarget } from './one-target.ts';
import { objectAt, parseRevision, revisionOf, versionsBefore } from './versions.ts';

export interface UndoChoice extends WriteChoice, OutputChoice {
  readonly to: string | undefined;
  readonly 'field-manager': string;
}

/** Writes an object back as it was: an ordinary update, of the version that is there now; a creation where none is. */
export async function undo(
  context: CommandContext,
  choice: UndoChoice,
  args: readonly string[],
): Promise<void> {
  const { target, rest } = await oneTarget(context, args, 'undo');
  if (rest.length > 0) throw new CtlError(`one object at a time: ${rest.join(' ')}`);
  const report = await Report.open(context, choice);
  const api = await context.api();
  const path = resourcePath(target);
  const current = await readCurrent(api, path);
  const old = await findOld(api, path, current, choice.to);
  const revision = old.metadata.resourceVersion;
  const written = choice['dry-run'] === 'client' ? old : await write(api, { target, current, old, choice });
  const unchanged =
    current !== undefined && written['metadata'] !== undefined && isSameVersion(written, current);
  await report.done(
    written,
    unchanged ? `is as it was at revision ${revision}` : `as at revision ${revision} again`,
  );
}

function isSameVersion({ metadata }: JsonObject, current: ApiObject): boolean {
  return (metadata as JsonObject)['resourceVersion'] === current.metadata.resourceVersion;
}

async function readCurrent(api: Api, path: string): Promise<ApiObject | undefined> {
  try {
    return await api.json<ApiObject>({ path });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The version of a revision; by default the one before the present. */
async function findOld(
  api: Api,
  path: string,
  current: ApiObject | undefined,
  to: string | undefined,
): Promise<ApiObject> {
  if (to === undefined) {
    if (current === undefined)
      throw new CtlError(
        'there is no such object now; --to REVISION says as of when it is to be brought back',
      );
    const [, before] = (await versionsBefore(api, path, current, 2)).objects;
    if (before !== undefined) return before;
    throw new CtlError(`the store has no version before ${revisionOf(current)}`);
  }
  const revision = parseRevision(to, '--to');
  const old = await asOf(api, path, revision);
  if (old === undefined)
    throw new CtlError(`there was no such object at revision ${revision}`, {
      hint: 'orchctl delete brings that about again.',
    });
  return old;
}

async function asOf(api: Api, path: string, revision: bigint): Promise<ApiObject | undefined> {
  try {
    return await objectAt(api, path, revision);
  } catch (error) {
    if (!(error instanceof ServerError) || error.reason !== 'Expired') throw error;
    throw new CtlError(`revision ${revision} has been compacted: ${error.message}`, {
      hint: 'orchctl history lists the revisions that the store still has; how far back that is, is up to the server (--history).',
      cause: error,
    });
  }
}

interface Undoing {
  readonly target: NamedTarget;
  readonly current: ApiObject | undefined;
  readonly old: ApiObject;
  readonly choice: UndoChoice;
}

/** Who owns fields and what the server keeps for itself stays as it is. */
async function write(api: Api, { target, current, old, choice }: Undoing): Promise<JsonObject> {
  const {
    managedFields: _fields,
    resourceVersion: _version,
    uid: _uid,
    deletionTimestamp: _deletion,
    ...metadata
  } = old.metadata;
  const query = { ...writeQuery(choice, choice['field-manager']) };
  const { resource, namespace } = target;
  if (current === undefined) {
    const {
      creationTimestamp: _creation,
      generation: _generation,
      deletionGracePeriodSeconds: _grace,
      ...own
    } = metadata;
    const body = { ...old, metadata: own };
    return api.json({ method: 'POST', path: resourcePath({ resource, namespace }), query, body });
  }
  const { resourceVersion = '', uid = '' } = current.metadata;
  const body = { ...old, metadata: { ...metadata, resourceVersion, uid } };
  try {
    return await api.json({ method: 'PUT', path: resourcePath(target), query, body });
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new CtlError(error.message, {
      hint: 'Somebody was faster: look at orchctl history, and undo again.',
      cause: error,
    });
  }
}
