import type { JsonObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { resourcePath } from '../api/resource.ts';
import { isNotFound } from '../errors.ts';
import { readObjects, type FoundObject } from '../resources/read-objects.ts';
import type { ApplySet } from './apply-set.ts';

export interface PruneOptions {
  readonly api: Api;
  /** Uids of the objects that are members still. */
  readonly kept: ReadonlySet<string>;
  readonly dryRun: 'none' | 'server' | 'client';
  /** Whether and when what a member owns goes, too. */
  readonly propagation: string;
}

/** Deletes the members of a set that are no more, and yields each when it is deleted. */
export async function* pruneMembers(set: ApplySet, options: PruneOptions): AsyncGenerator<JsonObject> {
  const { api, kept, dryRun } = options;
  const found: FoundObject[] = [];
  for (const { resource, namespace } of set.places()) {
    for await (const one of readObjects({ resource }, { api, namespace, labelSelector: set.selector })) {
      const { uid } = one.object['metadata'] as { uid?: string };
      if (uid === undefined || !kept.has(uid)) found.push(one);
    }
  }
  for (const one of found) {
    if (dryRun !== 'client') await remove(one, options);
    yield one.object;
  }
}

/** Only this very object: one of the same name that somebody made since stays. */
async function remove(
  { resource, object }: FoundObject,
  { api, dryRun, propagation }: PruneOptions,
): Promise<void> {
  const { name, namespace, uid } = object['metadata'] as { name: string; namespace?: string; uid: string };
  try {
    await api.json({
      method: 'DELETE',
      path: resourcePath({ resource, namespace, name }),
      body: {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: propagation,
        preconditions: { uid },
        // Where there is a body, the server looks for it nowhere else.
        ...(dryRun === 'server' ? { dryRun: ['All'] } : {}),
      },
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
