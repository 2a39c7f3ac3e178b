import { setTimeout as delay } from 'node:timers/promises';
import { formatDuration } from '../../../meta/duration.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { resourcePath, type ApiResource } from '../api/resource.ts';
import { CtlError, isForbidden, isNotFound, ServerError, throwCollected } from '../errors.ts';
import type { Output } from '../output.ts';
import { errorLine } from '../render-error.ts';
import type { DryRun } from '../write/flags.ts';
import type { Departure, PodsGone } from './pods-gone.ts';
import type { Pod } from './pods.ts';

/** What a budget of disruptions forbids now may be allowed later. */
const RETRY_MS = 5000;
/** The cause of refusals in a namespace that goes. */
const TERMINATING = 'NamespaceTerminating';

/** The server lists evictions among what it serves, and doesn't serve them. */
export class EvictionsMissing extends CtlError {
  override readonly name = 'EvictionsMissing';
}

export interface RemovalOptions {
  readonly api: Api;
  readonly pods: ApiResource;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly dryRun: DryRun;
  /** Seconds; below 0 the pods' own. */
  readonly grace: number;
  /** Milliseconds; 0 for no end. */
  readonly timeout: number;
  /** Aborts with the timeout, and with the command. */
  readonly signal: AbortSignal;
  readonly gone: PodsGone;
  /** Tells what became of a pod. */
  readonly report: (pod: Pod, operation: string, departure: Departure) => Promise<void>;
}

/** Evicts pods, all at once, and waits until they are gone. @throws what went wrong with some of them. */
export async function evictPods(pods: readonly Pod[], options: RemovalOptions): Promise<void> {
  const results = await Promise.allSettled(pods.map((pod) => evict(pod, options)));
  throwCollected(
    results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : [])),
  );
}

/** Deletes pods, whatever budgets of disruptions say, and waits until they are gone. */
export async function deletePods(pods: readonly Pod[], options: RemovalOptions): Promise<void> {
  for (const pod of pods) {
    try {
      await options.api.json({ method: 'DELETE', path: pathOf(pod, options), body: deleteOptions(options) });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  const { dryRun, gone, report } = options;
  await Promise.all(
    pods.map(async (pod) => report(pod, 'deleted', dryRun === 'none' ? await gone.of(pod) : 'gone')),
  );
}

async function evict(pod: Pod, options: RemovalOptions): Promise<void> {
  const { dryRun, stdout, gone, report, signal } = options;
  const { name, namespace } = pod.metadata;
  const suffix = dryRun === 'server' ? ' (server dry run)' : '';
  for (;;) {
    await stdout.write(`evicting pod ${namespace}/${name}${suffix}\n`);
    const answer = await tryEviction(pod, options);
    if (answer === 'was gone') return;
    if (answer === 'is going') break;
    await options.stderr.write(`${answer}\n`);
    await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw timedOut(pod, options);
  }
  if (dryRun === 'server') return;
  try {
    await report(pod, 'evicted', await gone.of(pod));
  } catch (error) {
    throw new CtlError(
      `error when waiting for pod ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)} to terminate: ${errorLine(error)}`,
      { cause: error },
    );
  }
}

/** @returns what came of it, or why to try again. @throws CtlError where that is of no use. */
async function tryEviction(pod: Pod, options: RemovalOptions): Promise<string> {
  const { name, namespace } = pod.metadata;
  const what = `pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)}`;
  try {
    await options.api.json({
      method: 'POST',
      path: pathOf(pod, options, 'eviction'),
      signal: options.signal,
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions: deleteOptions(options),
      },
    });
    return 'is going';
  } catch (error) {
    if (isNotFound(error)) {
      // A pod that isn't there is named; what the server doesn't know at all has no name.
      if (error.status.details?.name === name) return 'was gone';
      throw new EvictionsMissing('the server does not evict pods', { cause: error });
    }
    if (options.signal.aborted) throw timedOut(pod, options);
    const why = errorLine(error);
    if (error instanceof ServerError && error.code === 429)
      return `error when evicting ${what} (will retry after 5s): ${why}`;
    if (isForbidden(error) && isTerminating(error)) {
      if (await isDeleted(pod, options)) return 'is going';
      return `error when evicting pod ${JSON.stringify(name)} from terminating namespace ${JSON.stringify(namespace)} (will retry after 5s): ${why}`;
    }
    throw new CtlError(`error when evicting ${what}: ${why}`, { cause: error });
  }
}

function isTerminating({ status }: ServerError): boolean {
  return status.details?.causes?.some(({ reason }) => reason === TERMINATING) === true;
}

async function isDeleted(pod: Pod, options: RemovalOptions): Promise<boolean> {
  const { metadata } = await options.api.json<Pod>({ path: pathOf(pod, options) });
  return metadata.deletionTimestamp !== undefined;
}

function timedOut({ metadata }: Pod, { timeout }: RemovalOptions): CtlError {
  const { name, namespace } = metadata;
  return new CtlError(
    `error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)}: global timeout reached: ${formatDuration(BigInt(timeout) * 1_000_000n)}`,
  );
}

function deleteOptions({ grace, dryRun }: RemovalOptions): JsonObject {
  return {
    ...(grace < 0 ? {} : { gracePeriodSeconds: grace }),
    ...(dryRun === 'server' ? { dryRun: ['All'] } : {}),
  };
}

function pathOf({ metadata }: Pod, { pods }: RemovalOptions, subresource?: string): string {
  return resourcePath({ resource: pods, namespace: metadata.namespace, name: metadata.name, subresource });
}
