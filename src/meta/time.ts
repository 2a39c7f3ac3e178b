const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,20}))?(Z|[+-]\d\d:\d\d)$/;

/** What most times already are. */
const PLAIN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** A time's seconds since 1970 and its fraction's digits. */
function parse(text: string): { seconds: number; fraction: string } | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const at = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const date = new Date(at);
  // Days that the month doesn't have, hour 24 and leap seconds come back as another date.
  const same =
    date.getUTCDate() === Number(day) && date.getUTCHours() === Number(hour) && Number(second) < 60;
  if (!same || Number(month) < 1 || Number(month) > 12 || Number(minute) > 59) return undefined;
  const offset = zone === 'Z' ? 0 : offsetSeconds(zone);
  return offset === undefined ? undefined : { seconds: at / 1000 - offset, fraction };
}

function offsetSeconds(zone: string): number | undefined {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** RFC 3339 in UTC with whole seconds; the fraction is cut off. @returns undefined for anything else. */
export function canonicalTime(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  const time = parse(text);
  return time === undefined ? undefined : format(time.seconds, '');
}

/** RFC 3339 in UTC with six fraction digits. @returns undefined for anything else. */
export function canonicalMicroTime(text: string): string | undefined {
  const time = parse(text);
  return time === undefined
    ? undefined
    : format(time.seconds, `.${time.fraction.slice(0, 6).padEnd(6, '0')}`);
}

function format(seconds: number, fraction: string): string | undefined {
  const date = new Date(seconds * 1000);
  if (date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) return undefined;
  return `${date.toISOString().slice(0, 19)}${fraction}Z`;
}

const UNITS = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const SECOND = 1_000_000_000n;
const DURATION = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const DURATION_PART = /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g;
const MAX_DURATION = 2n ** 63n - 1n;

/** Reads a duration such as `1h30m` or `1.5s`, in nanoseconds. @returns undefined when it is none. */
export function parseDuration(text: string): bigint | undefined {
  if (text.length > 200 || !DURATION.test(text)) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(DURATION_PART)) {
    const factor = UNITS.get(unit) ?? 0n;
    total +=
      BigInt(whole || '0') * factor + (BigInt(fraction || '0') * factor) / 10n ** BigInt(fraction.length);
  }
  if (total > MAX_DURATION) return undefined;
  return text.startsWith('-') ? -total : total;
}

/** The duration's canonical text: hours, minutes and seconds (`1h30m0s`), or one smaller unit below a second. */
export function canonicalDuration(text: string): string | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : formatDuration(nanos);
}

/** @param nanos nanoseconds */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 1_000n)}µs`;
  if (size < SECOND) return `${sign}${decimal(size, 1_000_000n)}ms`;
  const hours = size / (3_600n * SECOND);
  const minutes = (size / (60n * SECOND)) % 60n;
  const head = hours > 0n ? `${hours}h${minutes}m` : minutes > 0n ? `${minutes}m` : '';
  return `${sign}${head}${decimal(size % (60n * SECOND), SECOND)}s`;
}

/** value / unit as a decimal without trailing zeros. */
function decimal(value: bigint, unit: bigint): string {
  const rest = value % unit;
  if (rest === 0n) return (value / unit).toString();
  const digits = rest
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return `${value / unit}.${digits}`;
}
