import type { Likeness } from './lines.ts';

/** What no two objects share, by how it looks in JSON, YAML and templates. */
const OWN: readonly [RegExp, string][] = [
  [/\b(?:one|two)\b/g, 'NAMESPACE'],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME'],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} [A-Z]+/g, 'TIME'],
  [/\bkube-api-access-[a-z\d]{5}\b/g, 'TOKEN-VOLUME'],
  [/("?resourceVersion"?: )"\d+"/g, '$1"VERSION"'],
  [/(Resource Version: +)\d+/g, '$1VERSION'],
];

const AGE = /\b(?:\d+[smhd]){1,2}\b/g;

/** A text in which what is left must be equal. */
export function comparable(text: string, like: Likeness): string {
  const shared = OWN.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), text);
  if (like !== 'columns') return shared;
  return shared.replaceAll(AGE, 'AGE').replaceAll(/ +/g, ' ');
}
