import { FieldPath } from '../../errors/field-path.ts';
import { isObject, sizeOf } from '../../meta/fields.ts';
import type { Json, JsonObject } from '../../meta/object.ts';

/** So many places are told. */
const MOST = 5;

/**
 * Where two values say something else, as paths such as `spec.containers[0].ports[1]`: no more than {@link MOST}. Nothing,
 * null and what is empty say the same.
 */
export function differences(a: Json | undefined, b: Json | undefined, at: FieldPath): string[] {
  const found: string[] = [];
  compare(a, b, at, found);
  return found;
}

/** Whether two values say the same. */
export function sameMeaning(a: Json | undefined, b: Json | undefined): boolean {
  return differences(a, b, FieldPath.ROOT).length === 0;
}

function compare(a: Json | undefined, b: Json | undefined, at: FieldPath, found: string[]): void {
  if (a === b || found.length >= MOST || (isNothing(a) && isNothing(b))) return;
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    a.forEach((item, i) => compare(item, b[i], at.index(i), found));
  } else if (isObject(a) && isObject(b)) compareFields(a, b, at, found);
  else found.push(String(at));
}

/** Flags of pods that are off where they are absent; of others, absent is a third value. */
const OFF_IF_ABSENT: ReadonlySet<string> = new Set([
  ...['hostNetwork', 'hostPID', 'hostIPC', 'readOnly', 'stdin', 'stdinOnce', 'tty'],
  ...['chapAuthDiscovery', 'chapAuthSession'],
]);

function compareFields(a: JsonObject, b: JsonObject, at: FieldPath, found: string[]): void {
  for (const field of Object.keys({ ...a, ...b })) {
    const [one, other] = [a[field], b[field]];
    if (OFF_IF_ABSENT.has(field) && (one ?? false) === (other ?? false)) continue;
    compare(one, other, at.child(field), found);
  }
}

/** What a list or text says that is empty; an empty struct says that it is there. */
function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) && sizeOf(value) === 0;
}
