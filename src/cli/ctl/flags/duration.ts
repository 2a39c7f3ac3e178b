const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};
const TERM = /(\d+(?:\.\d*)?|\.\d+)(h|ms|m|s|us|µs|ns)/gy;

/** Milliseconds of a duration such as `1m30s`, `-1s` or `0`; a bare number counts seconds. @returns undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (/^-?\d{1,12}$/.test(text)) return Number(text) * 1000;
  const negative = text.startsWith('-');
  const body = /^[+-]/.test(text) ? text.slice(1) : text;
  let total = 0;
  let end = 0;
  for (const match of body.matchAll(TERM)) {
    total += Number(match[1]) * (UNITS[match[2] ?? ''] ?? 0);
    end = match.index + match[0].length;
  }
  if (end === 0 || end !== body.length) return undefined;
  return negative ? -total : total;
}
