import { objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { dayOf, isDay } from '../legacy-token-tracking/day.ts';

/** How long the token of a Secret may go unused, and how long it stays marked before it goes: a year. */
export const UNUSED_MS = 365 * 86_400_000;

/** Labels of Secrets: on which day their token was used last, and since when it is marked as not to be used. */
export interface UseLabels {
  readonly lastUsed: string;
  readonly invalidSince: string;
}

/** Whether a Secret is old, and its token hasn't been used for so long that it may go. */
export function isUnused(secret: StoredEntry, created: number, { now, labels }: Moment): boolean {
  if (created >= now - UNUSED_MS) return false;
  const used = labelOf(secret, labels.lastUsed);
  return used === '' || (isDay(used) && used < dayOf(now - UNUSED_MS));
}

/** What becomes of an unused Secret: first its token is marked, and after the same time again it is deleted. */
export function nextStep(secret: StoredEntry, { now, labels }: Moment): 'mark' | 'wait' | 'delete' {
  const since = labelOf(secret, labels.invalidSince);
  if (!isDay(since)) return 'mark';
  return since >= dayOf(now - UNUSED_MS) ? 'wait' : 'delete';
}

export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly labels: UseLabels;
}

/** Whether an account lists a Secret: those that nobody but the control plane made are listed. */
export function lists(account: ApiObject, secret: string): boolean {
  return objectsAt(account, 'secrets').some((reference) => textAt(reference, 'name') === secret);
}

function labelOf({ labels }: StoredEntry, key: string): string {
  return labels !== undefined && Object.hasOwn(labels, key) ? (labels[key] ?? '') : '';
}
