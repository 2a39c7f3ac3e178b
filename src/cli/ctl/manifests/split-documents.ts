/** One document of a file. */
export interface DocumentText {
  readonly text: string;
  /** Its first line in the file, counted from 1. */
  readonly line: number;
}

/** A line that ends a YAML document; what else may stand behind the dashes belongs to the next one. */
const SEPARATOR = /^---[ \t]*(?:#.*)?$/;
const BLANK = /^\s*(?:#.*)?$/;

/** The documents of a file: of YAML those between `---`, of JSON one behind the other. Empty ones are left out. */
export function* splitDocuments(text: string): Generator<DocumentText> {
  let start = 0;
  let line = 1;
  if (/^\s*\{/.test(text)) {
    for (let end = endOfObject(text, start); end !== undefined; end = endOfObject(text, start)) {
      const document = text.slice(start, end);
      line += countLines(/^\s*/.exec(document)?.[0] ?? '');
      yield { text: document.trimStart(), line };
      line += countLines(document.trimStart());
      start = end;
    }
    if (text.slice(start).trim() === '') return;
  }
  yield* splitYaml(text.slice(start), line);
}

function* splitYaml(text: string, firstLine: number): Generator<DocumentText> {
  let first = firstLine;
  let lines: string[] = [];
  let filled = false;
  let at = firstLine;
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (SEPARATOR.test(line)) {
      if (filled) yield { text: lines.join('\n'), line: first };
      lines = [];
      filled = false;
      first = at + 1;
    } else {
      filled ||= !BLANK.test(line);
      lines.push(line);
    }
    at++;
  }
  if (filled) yield { text: lines.join('\n'), line: first };
}

/** Where the JSON object that begins behind white space ends; undefined where none begins or it doesn't end. */
function endOfObject(text: string, start: number): number | undefined {
  let at = start;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  if (text[at] !== '{') return undefined;
  let depth = 0;
  for (; at < text.length; at++) {
    const c = text[at];
    if (c === '"') at = endOfString(text, at);
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
