import { parsePath } from './parse-path.ts';
import { JsonPathError, type Template, type TemplatePart } from './template.ts';

/**
 * Reads a template such as `{range .items[*]}{.metadata.name}{"\n"}{end}`, in the language of `kubectl -o jsonpath`.
 *
 * @throws JsonPathError
 */
export function parseTemplate(text: string): Template {
  const root: TemplatePart[] = [];
  const open: TemplatePart[][] = [root];
  for (const piece of split(text)) {
    const parts = open.at(-1) as TemplatePart[];
    if (!piece.action) {
      parts.push({ type: 'text', text: piece.text });
      continue;
    }
    const { steps, word } = parsePath(piece.text);
    if (word === 'range') {
      const body: TemplatePart[] = [];
      parts.push({ type: 'range', steps, body });
      open.push(body);
    } else if (word === 'end') {
      if (open.length === 1) throw new JsonPathError('not in range, nothing to end');
      open.pop();
    } else parts.push({ type: 'path', steps });
  }
  return root;
}

/**
 * A path as people also write it for a single field: with or without braces and leading dot.
 *
 * @throws JsonPathError
 */
export function parseRelaxedPath(text: string): Template {
  return parseTemplate(relaxed(text));
}

/** `metadata.name`, `.metadata.name` and `{.metadata.name}` as the last of these. */
export function relaxed(text: string): string {
  if (text === '') return '';
  const match = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(text);
  if (match === null) {
    throw new JsonPathError(
      `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
    );
  }
  return `{.${match[1] ?? match[2]}}`;
}

interface Piece {
  readonly action: boolean;
  readonly text: string;
}

function* split(text: string): Generator<Piece> {
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('{', at);
    if (start < 0) break;
    if (start > at) yield { action: false, text: text.slice(at, start) };
    const end = actionEnd(text, start + 1);
    yield { action: true, text: text.slice(start + 1, end) };
    at = end + 1;
  }
  if (at < text.length) yield { action: false, text: text.slice(at) };
}

/** Where the brace closes that isn't between quotes. */
function actionEnd(text: string, from: number): number {
  let quote = '';
  for (let i = from; i < text.length; i++) {
    const c = text.charAt(i);
    if (quote !== '') {
      if (c === quote && text.charAt(i - 1) !== '\\') quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '}') return i;
    else if (c === '\n') break;
  }
  throw new JsonPathError('unclosed action');
}
