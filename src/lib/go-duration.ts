const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/**
 * Reads a duration as Go writes it: `1h30m`, `2.5s`, `-100ms`, `0`.
 *
 * @returns milliseconds; undefined when the text is no duration.
 */
export function parseGoDuration(text: string): number | undefined {
  const match = /^([+-]?)((?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.exec(text);
  if (match === null) return /^[+-]?0$/.test(text) ? 0 : undefined;
  let ms = 0;
  for (const [, number, unit] of text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    ms += Number(number) * (UNIT_MS[unit as string] as number);
  }
  return match[1] === '-' ? -ms : ms;
}
