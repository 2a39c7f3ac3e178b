/**
 * Breaks lines at spaces where they would be longer than `limit` characters; words that are longer stay whole, and so do
 * the line breaks that there are.
 */
export function wrapText(text: string, limit: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, limit))
    .join('\n');
}

function wrapLine(line: string, limit: number): string {
  let out = '';
  let column = 0;
  for (const [, space = '', word = ''] of line.matchAll(/(\s*)(\S*)/g)) {
    const length = [...word].length;
    if (word === '') {
      if (column + space.length <= limit) out += space;
    } else if (column + space.length + length > limit && (length < limit || column + space.length > 1)) {
      out += `\n${word}`;
      column = length;
    } else {
      out += space + word;
      column += space.length + length;
    }
  }
  return out;
}

/** The text with spaces before each of its lines. */
export function indentText(text: string, amount: number): string {
  const pad = ' '.repeat(amount);
  return pad + text.replaceAll('\n', `\n${pad}`);
}
