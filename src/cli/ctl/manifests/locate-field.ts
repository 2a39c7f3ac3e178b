import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Place } from './manifest.ts';

/** How YAML is read to find places in it: as little as possible is made of it. */
const AS_TEXT = { version: '1.1', schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' } as const;

/**
 * The line of a field, or of the last field on the way to it that there is.
 *
 * @param path as a Status has it: `spec.containers[0].image`, `metadata.labels[app]`, `.spec.containers[name="web"]`.
 * @returns the line in the file, counted from 1; undefined where the document's text is not at hand.
 */
export function lineOfField({ text, line, item }: Place, path: string): number | undefined {
  if (text === undefined) return undefined;
  const lines = new LineCounter();
  const document = parseDocument(text, { ...AS_TEXT, lineCounter: lines });
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of [...(item === undefined ? [] : ['items', String(item)]), ...stepsOf(path)]) {
    const found = childOf(node, step);
    if (found === undefined) break;
    ({ node, offset } = found);
  }
  return line + Math.max(lines.linePos(offset).line, 1) - 1;
}

/** Why a text is no YAML, and the line of its file where that shows. */
export function syntaxError(text: string, firstLine: number): { line: number; why: string } | undefined {
  const lines = new LineCounter();
  const [error] = parseDocument(text, { ...AS_TEXT, lineCounter: lines, prettyErrors: false }).errors;
  if (error === undefined) return undefined;
  const why = error.message.split('\n')[0] ?? '';
  return { line: firstLine + lines.linePos(error.pos[0]).line - 1, why };
}

/** Labels and such are told in brackets, as indexes are. */
function stepsOf(path: string): string[] {
  return [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inside]) => inside ?? step);
}

function childOf(node: unknown, step: string): { node: unknown; offset: number } | undefined {
  if (isSeq(node)) {
    const item = step.includes('=') ? node.items.find((one) => hasKeys(one, step)) : node.items[Number(step)];
    return item === undefined ? undefined : { node: item, offset: offsetOf(item) };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => String(key) === step);
  return pair === undefined ? undefined : { node: pair.value, offset: offsetOf(pair.key) };
}

/** Whether an item has the keys of a step such as `containerPort=80,protocol="TCP"`. */
function hasKeys(item: unknown, step: string): boolean {
  const keys = [...step.matchAll(/([^=,]+)=(?:"((?:[^"\\]|\\.)*)"|([^,]*))/g)];
  return keys.every(([, key, text, bare]) => isMap(item) && String(item.get(key)) === (text ?? bare));
}

function offsetOf(node: unknown): number {
  return (node as { range?: readonly [number, ...number[]] }).range?.[0] ?? 0;
}
