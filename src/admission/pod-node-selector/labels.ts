import { labelValueProblems, qualifiedNameProblems } from '../../meta/names.ts';

/** Labels that nodes must have. */
export type NodeLabels = ReadonlyMap<string, string>;

/** Reads `key=value,key=value`. @returns undefined for another text */
export function parseLabels(text: string): NodeLabels | undefined {
  const labels = new Map<string, string>();
  if (text.trim() === '') return labels;
  for (const part of text.split(',')) {
    const [key = '', value, ...more] = part.split('=').map((side) => side.trim());
    if (value === undefined || more.length > 0) return undefined;
    if (qualifiedNameProblems(key).length > 0 || labelValueProblems(value).length > 0) return undefined;
    labels.set(key, value);
  }
  return labels;
}
