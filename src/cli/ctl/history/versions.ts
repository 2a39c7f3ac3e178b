import type { ApiObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { CtlError, isNotFound, ServerError } from '../errors.ts';

/** Where the past that the store still has ends. */
export type End =
  /** The first version is when the object was created. */
  | 'created'
  /** Older ones have been compacted. */
  | 'compacted'
  /** There may be more; nobody asked. */
  | 'limit';

/** An object's versions, the newest first. */
export interface Versions {
  readonly objects: readonly ApiObject[];
  readonly end: End;
}

/**
 * The object as it was at a revision: any revision, not only its own.
 *
 * @returns undefined when there was no such object.
 * @throws ServerError 410 when the store has forgotten; CtlError when the server can't look back.
 */
export async function objectAt(api: Api, path: string, revision: bigint): Promise<ApiObject | undefined> {
  const query = { resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
  try {
    const object = await api.json<ApiObject>({ path, query });
    // A server that doesn't know such gets answers with what is there now.
    if (revisionOf(object) > revision)
      throw new CtlError(`${api.server} doesn't tell what objects were like`, {
        hint: 'An orch server does; other API servers have no such request.',
      });
    return object;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Walks back from a version: each is one request, for the moment before it came about. */
export async function versionsBefore(
  api: Api,
  path: string,
  newest: ApiObject,
  limit: number,
): Promise<Versions> {
  const objects = [newest];
  for (let last = newest; objects.length < limit;) {
    let before: ApiObject | undefined;
    try {
      before = await objectAt(api, path, revisionOf(last) - 1n);
    } catch (error) {
      if (error instanceof ServerError && error.reason === 'Expired') return { objects, end: 'compacted' };
      throw error;
    }
    if (before === undefined) return { objects, end: 'created' };
    objects.push(before);
    last = before;
  }
  return { objects, end: 'limit' };
}

export function revisionOf({ metadata }: ApiObject): bigint {
  return BigInt(metadata.resourceVersion ?? '0');
}

/** Reads a revision from the command line. @throws CtlError for what is none. */
export function parseRevision(text: string, flag: string): bigint {
  if (/^[1-9]\d{0,18}$/.test(text)) return BigInt(text);
  throw new CtlError(`invalid argument ${JSON.stringify(text)} for ${flag}: a revision is a number above 0`, {
    hint: 'orchctl history TYPE/NAME lists the revisions of an object.',
  });
}
