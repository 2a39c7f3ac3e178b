/** Indexes of a job such as `1,3-5,7`: their number, or what is wrong with the text. */
export type Indexes = { readonly count: number } | { readonly problem: string };

type Interval = readonly [first: number, last: number];

const INTEGER = /^[+-]?\d{1,18}$/;

/** Reads indexes below `completions`, which are in order. Nothing is no index. */
export function readIndexes(text: string, completions: number): Indexes {
  if (text === '') return { count: 0 };
  let count = 0;
  let last: number | undefined;
  for (const part of text.split(',')) {
    const interval = readInterval(part, completions);
    if (typeof interval === 'string') return { problem: interval };
    const [from, to] = interval;
    if (last !== undefined && last >= from) return { problem: `${from} comes after ${last}, but isn't more` };
    count += to - from + 1;
    last = to;
  }
  return { count };
}

/** @returns the interval, or what is wrong with it. */
function readInterval(text: string, completions: number): Interval | string {
  const ends = text.split('-');
  if (ends.length > 2) return `${JSON.stringify(text)} is no index and no interval of two`;
  const numbers: number[] = [];
  for (const end of ends) {
    if (!INTEGER.test(end)) return `${JSON.stringify(end)} is not an integer`;
    if (Number(end) >= completions) return `${end} is too large: there are ${completions} completions`;
    numbers.push(Number(end));
  }
  const [from = 0, to = from] = numbers;
  return numbers.length === 2 && from >= to ? `the interval ${text} is not in order` : [from, to];
}

/** The first index that two texts have in common; intervals that make no sense count for nothing. */
export function commonIndex(a: string, b: string, completions: number): number | undefined {
  const read = (text: string): Interval[] =>
    text.split(',').flatMap((part) => {
      const interval = readInterval(part, completions);
      return typeof interval === 'string' ? [] : [interval];
    });
  const others = read(b);
  let at = 0;
  for (const [from, to] of read(a)) {
    while (at < others.length && (others[at]?.[1] ?? 0) < from) at++;
    const other = others[at];
    if (other !== undefined && other[0] <= to) return Math.max(from, other[0]);
  }
  return undefined;
}
