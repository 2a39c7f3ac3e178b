const LETTER = /\p{L}/u;

/** The order that Go's library for YAML gives to keys: letters behind everything else, numbers by their value. */
export function compareNaturally(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return compareAt(a, b, i);
  }
  return a.length - b.length;
}

/** @param i where they begin to differ. */
function compareAt(a: string, b: string, i: number): number {
  const [left = '', right = ''] = [a[i], b[i]];
  const [leftLetter, rightLetter] = [isLetter(left), isLetter(right)];
  if (leftLetter && rightLetter) return left < right ? -1 : 1;
  if (leftLetter || rightLetter) return rightLetter ? -1 : 1;
  const lead = left === '0' || right === '0' ? leadingDigit(a, i) : '';
  const [leftNumber, rightNumber] = [digitsAt(a, i), digitsAt(b, i)];
  const byValue = compareNumbers(lead + leftNumber, lead + rightNumber);
  if (byValue !== 0) return byValue;
  if (leftNumber.length !== rightNumber.length) return leftNumber.length - rightNumber.length;
  return left < right ? -1 : 1;
}

function isLetter(character: string): boolean {
  return /^[a-z]$/i.test(character) || (character > '\x7f' && LETTER.test(character));
}

/** `1` where a number other than zero is going on, so that its zeros count. */
function leadingDigit(text: string, end: number): string {
  for (let j = end - 1; j >= 0 && /\d/.test(text[j] as string); j--) {
    if (text[j] !== '0') return '1';
  }
  return '';
}

function digitsAt(text: string, start: number): string {
  return /^\d*/.exec(text.slice(start))?.[0] ?? '';
}

function compareNumbers(a: string, b: string): number {
  const [left, right] = [BigInt(a === '' ? 0 : a), BigInt(b === '' ? 0 : b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
