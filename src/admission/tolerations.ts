import { numberAt, textAt } from '../meta/fields.ts';
import type { JsonObject } from '../meta/object.ts';
import { sameJson } from '../meta/same-json.ts';

/** Tolerations of both lists, without those that others include. */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  for (const [i, one] of all.entries()) {
    const said = merged.some((other) => includes(other, one));
    const follows = all.slice(i + 1).some((other) => !sameJson(one, other) && includes(other, one));
    if (!said && !follows) merged.push(one);
  }
  return merged;
}

/** Whether each toleration is included in one that is allowed; everything is where nothing is listed. */
export function areAllowed(tolerations: readonly JsonObject[], allowed: readonly JsonObject[]): boolean {
  if (allowed.length === 0) return true;
  return tolerations.every((one) => allowed.some((other) => includes(other, one)));
}

/** Whether whoever has the toleration `large` tolerates all that `small` does. */
function includes(large: JsonObject, small: JsonObject): boolean {
  if (sameJson(large, small)) return true;
  const [key, effect, operator] = ['key', 'effect', 'operator'].map((field) => textAt(large, field));
  if (textAt(small, 'key') !== key && (key !== '' || operator !== 'Exists')) return false;
  if (textAt(small, 'effect') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && !lastsAsLong(large, small)) return false;
  if (operator === 'Exists') return true;
  if (operator !== 'Equal' && operator !== '') return false;
  return textAt(small, 'operator') === 'Equal' && textAt(small, 'value') === textAt(large, 'value');
}

function lastsAsLong(large: JsonObject, small: JsonObject): boolean {
  if (typeof large['tolerationSeconds'] !== 'number') return true;
  if (typeof small['tolerationSeconds'] !== 'number') return false;
  return numberAt(small, 'tolerationSeconds') <= numberAt(large, 'tolerationSeconds');
}
