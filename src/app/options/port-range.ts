/** Both ends included. */
export interface PortNumbers {
  readonly first: number;
  readonly last: number;
}

/** Reads `from-to`, `from+count` or one port. @returns undefined when the text is none of these. */
export function parsePortRange(text: string): PortNumbers | undefined {
  const match = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text);
  if (match === null) return undefined;
  const first = Number(match[1]);
  const last = match[2] === '+' ? first + Number(match[3]) : Number(match[3] ?? first);
  return last > 65_535 || first > last ? undefined : { first, last };
}
