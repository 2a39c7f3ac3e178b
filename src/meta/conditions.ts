import type { JsonObject } from './object.ts';

/**
 * Puts a condition into a list that has one of a type. Its `lastTransitionTime` is when its status changed.
 *
 * @param now RFC 3339
 * @returns whether the list has changed
 */
export function setCondition(conditions: JsonObject[], next: JsonObject, now: string): boolean {
  const current = conditions.find(({ type }) => type === next['type']);
  if (current === undefined) {
    conditions.push({ ...next, lastTransitionTime: now });
    return true;
  }
  const { status, reason, message } = next;
  if (current.status === status && current.reason === reason && current.message === message) return false;
  if (current.status !== status) current.lastTransitionTime = now;
  Object.assign(current, { status, reason, message });
  return true;
}
