import { formatTime } from '../lib/rfc3339.ts';
import type { ObjectMeta } from '../meta/object.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { DeleteOptions } from './options/delete-options.ts';

/** Finalizers that the garbage collector acts on; the same names in every naming profile. */
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** What a delete does to an object, before anything is written. */
export type DeletionStep =
  /** Remove it now. */
  | 'remove'
  /** Store it with its changed metadata: finalizers or the grace period have to pass first. */
  | 'mark'
  /** The same, and remove it then: its time to stop is over, and who watches is told so. */
  | 'markAndRemove'
  /** A deletion that is at least as early is already under way. */
  | 'pending';

/** What the rules need to know besides the object. */
export interface DeletionContext {
  readonly resource: ResourceDefinition;
  readonly options: DeleteOptions;
  /** Milliseconds since 1970. */
  readonly now: number;
  /**
   * The grace period to give, seconds, for what the request asks; absent: the kind isn't deleted gracefully.
   */
  readonly graceSeconds: ((asked: number | undefined) => number) | undefined;
  /** Whether somebody collects dependents. Without, what a request says of them is passed over. */
  readonly collectsGarbage: boolean;
}

/**
 * Decides what a delete does, and changes `meta` accordingly (finalizers, deletion time, grace period, generation). What
 * is removed at once stays as it is.
 */
export function planDeletion(meta: ObjectMeta, context: DeletionContext): DeletionStep {
  const grace = planGrace(meta, context);
  if (grace === 'pending') return 'pending';
  const finalizers = finalizersFor(meta, context);
  if (grace === 'none' && finalizers.length === 0) return 'remove';
  if (finalizers.length > 0) meta.finalizers = finalizers;
  else delete meta.finalizers;
  if (grace === 'none') markDeleted(meta, context.now);
  return finalizers.length === 0 && meta.deletionGracePeriodSeconds === 0 ? 'markAndRemove' : 'mark';
}

/** Whether an update of a terminating object has taken away what its deletion was waiting for. */
export function isFinished(meta: ObjectMeta, old: ObjectMeta): boolean {
  if (meta.finalizers !== undefined && meta.finalizers.length > 0) return false;
  return old.deletionTimestamp != null && (old.deletionGracePeriodSeconds ?? 0) === 0;
}

/** Starts or shortens a grace period. */
function planGrace(meta: ObjectMeta, context: DeletionContext): 'none' | 'graceful' | 'pending' {
  const { options, graceSeconds } = context;
  if (graceSeconds === undefined) return 'none';
  const asked = options.gracePeriodSeconds === undefined ? undefined : atLeast(options.gracePeriodSeconds);
  if (meta.deletionTimestamp != null) return shortenGrace(meta, asked);
  const seconds = graceSeconds(asked);
  meta.deletionTimestamp = formatTime(context.now + seconds * 1000);
  meta.deletionGracePeriodSeconds = seconds;
  raiseGeneration(meta);
  return 'graceful';
}

/** Negative periods count as one second. */
function atLeast(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

function shortenGrace(meta: ObjectMeta, asked: number | undefined): 'none' | 'graceful' | 'pending' {
  const current = meta.deletionGracePeriodSeconds ?? 0;
  if (current === 0) return 'none';
  if (asked === undefined || asked >= current) return 'pending';
  const requested = Date.parse(meta.deletionTimestamp ?? '') - current * 1000;
  meta.deletionTimestamp = formatTime(requested + asked * 1000);
  meta.deletionGracePeriodSeconds = asked;
  return 'graceful';
}

/** Deletion without a grace period: from now on. */
function markDeleted(meta: ObjectMeta, now: number): void {
  if (meta.deletionTimestamp == null) raiseGeneration(meta);
  if (meta.deletionTimestamp == null || Date.parse(meta.deletionTimestamp) > now) {
    meta.deletionTimestamp = formatTime(now);
  }
  meta.deletionGracePeriodSeconds = 0;
}

function raiseGeneration(meta: ObjectMeta): void {
  if (meta.generation !== undefined && meta.generation > 0) meta.generation += 1;
}

/** The finalizers, with those that tell the garbage collector what to do with dependents as the request wants them. */
function finalizersFor(meta: ObjectMeta, { resource, options, collectsGarbage }: DeletionContext): string[] {
  const current = meta.finalizers ?? [];
  if (!collectsGarbage) return current;
  const policy = propagation(current, resource, options);
  const wanted = policy === 'orphan' ? ORPHAN : policy === 'foreground' ? FOREGROUND : undefined;
  const collecting = current.filter((f) => f === ORPHAN || f === FOREGROUND);
  if (collecting.length === (wanted === undefined ? 0 : 1) && collecting[0] === wanted) return current;
  const next = current.filter((f) => f !== ORPHAN && f !== FOREGROUND);
  if (wanted !== undefined) next.push(wanted);
  return next;
}

/** The request decides; without a word from it the finalizers that are there, then the kind's own rule. */
function propagation(
  finalizers: readonly string[],
  resource: ResourceDefinition,
  options: DeleteOptions,
): 'orphan' | 'foreground' | 'background' {
  if (resource.defaultPropagation === 'none') return 'background';
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'orphan' : 'background';
  if (options.propagationPolicy !== undefined) return POLICIES[options.propagationPolicy];
  for (const finalizer of finalizers) {
    if (finalizer === ORPHAN) return 'orphan';
    if (finalizer === FOREGROUND) return 'foreground';
  }
  return resource.defaultPropagation;
}

const POLICIES = { Orphan: 'orphan', Foreground: 'foreground', Background: 'background' } as const;
