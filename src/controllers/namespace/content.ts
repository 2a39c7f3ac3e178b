import { ApiError } from '../../errors/api-error.ts';
import { Pacer } from '../../lib/pacer.ts';
import { numberAt, objectAt, textAt } from '../../meta/fields.ts';
import type { Revision } from '../../meta/revision.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import type { ControllerParts } from '../controller.ts';

/** What is left of a resource in a namespace after everything in it was deleted. */
export interface Remains {
  readonly row: ResourceDefinition;
  readonly count: number;
  /** How many of them wait for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** When they may be gone, seconds from now. */
  readonly estimateSeconds: number;
  /** What was counted is as of then. */
  readonly revision: Revision;
}

/** How soon whoever owns a finalizer is expected to be done, seconds. */
const FINALIZER_SECONDS = 15;

type Parts = Pick<ControllerParts, 'store' | 'server' | 'clock'>;

/** The namespace, and since when it is being deleted: milliseconds since 1970. */
export interface Emptied {
  readonly namespace: string;
  readonly since: number;
  readonly signal: AbortSignal;
}

/**
 * Deletes every object of a resource in a namespace.
 *
 * @returns what takes longer; undefined where nothing is left. @throws Error where something stays for no reason.
 */
export async function emptyOf(
  parts: Parts,
  row: ResourceDefinition,
  emptied: Emptied,
): Promise<Remains | undefined> {
  const { namespace, signal } = emptied;
  const before = await list(parts, row, emptied);
  if (before.entries.length === 0) return undefined;
  const graceSeconds = row.gracePeriodSeconds === undefined ? 0 : await longestGrace(before.entries);
  await deleteAll(parts, row, { namespace, signal, entries: before.entries });
  const { entries, revision } = await list(parts, row, emptied);
  if (entries.length === 0) return undefined;
  const finalizers = await countFinalizers(entries);
  // Who takes longer to stop than he was given is not waited for.
  const over = parts.clock.now() - emptied.since >= graceSeconds * 1000;
  const estimateSeconds = over ? (finalizers.size > 0 ? FINALIZER_SECONDS : 0) : graceSeconds;
  if (estimateSeconds === 0) {
    throw new Error(`${entries.length} ${row.resource} are still in ${namespace} that wait for nothing`);
  }
  return { row, count: entries.length, finalizers, estimateSeconds, revision };
}

function list({ store }: Parts, resource: ResourceDefinition, { namespace, signal }: Emptied) {
  return store.list({ resource, namespace, at: { at: 'latest' }, signal });
}

interface Deleting {
  readonly namespace: string;
  readonly signal: AbortSignal;
  readonly entries: readonly StoredEntry[];
}

async function deleteAll(
  { server }: Parts,
  row: ResourceDefinition,
  { namespace, signal, entries }: Deleting,
): Promise<void> {
  const options = { propagationPolicy: 'Background' };
  if (row.verbs.includes('deletecollection')) {
    await server.deleteCollection(row, namespace, { options, signal });
    return;
  }
  for (const { name } of entries) {
    try {
      await server.delete(row, { metadata: { namespace, name } }, { options, signal });
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
    }
  }
}

/** The longest that any of them may take to stop, seconds; those that have ended don't count. */
async function longestGrace(entries: readonly StoredEntry[]): Promise<number> {
  const pacer = new Pacer();
  let longest = 0;
  for (const entry of entries) {
    if (pacer.due()) await pacer.rest();
    const object = entry.object();
    const phase = textAt(objectAt(object, 'status'), 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    longest = Math.max(longest, numberAt(objectAt(object, 'spec'), 'terminationGracePeriodSeconds'));
  }
  return longest;
}

async function countFinalizers(entries: readonly StoredEntry[]): Promise<Map<string, number>> {
  const pacer = new Pacer();
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (pacer.due()) await pacer.rest();
    for (const finalizer of entry.object().metadata.finalizers ?? []) {
      counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
    }
  }
  return counts;
}
