/** Nanoseconds of each unit; the longest spellings first where one begins with another. */
const UNITS: readonly (readonly [string, bigint])[] = [
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
];
const NANOSECONDS: ReadonlyMap<string, bigint> = new Map(UNITS);
const TERM = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
const LIMIT = 1n << 63n;
const LONGEST = 128;

/** Reads a Go duration such as `1h30m`, `-1.5s` or `0`. @returns nanoseconds; undefined when the text is no duration. */
export function parseDuration(text: string): bigint | undefined {
  if (text.length > LONGEST) return undefined;
  const signed = text.startsWith('-') || text.startsWith('+');
  const rest = signed ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') return undefined;
  let sum = 0n;
  TERM.lastIndex = 0;
  while (TERM.lastIndex < rest.length) {
    const term = TERM.exec(rest);
    if (term === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = term;
    if (whole === '' && fraction === '') return undefined;
    const scale = NANOSECONDS.get(unit) ?? 1n;
    sum += BigInt(whole === '' ? '0' : whole) * scale;
    if (fraction !== '') sum += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
  }
  const value = text.startsWith('-') ? -sum : sum;
  return value >= -LIMIT && value < LIMIT ? value : undefined;
}

/** The same in milliseconds, for timers. */
export function parseDurationMs(text: string): number | undefined {
  const nanoseconds = parseDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

/** The text that Go prints for a duration: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${fixed(value, 3)}µs`;
  if (value < 1_000_000_000n) return `${sign}${fixed(value, 6)}ms`;
  const hours = value / 3_600_000_000_000n;
  const minutes = (value / 60_000_000_000n) % 60n;
  const seconds = `${fixed(value % 60_000_000_000n, 9)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : sign + seconds;
}

/** `value` / 10^`digits` without needless zeros. */
function fixed(value: bigint, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const fraction = (value % scale).toString().padStart(digits, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / scale}` : `${value / scale}.${fraction}`;
}
