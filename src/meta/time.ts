/** Times on the wire: RFC 3339, kept in UTC, in whole seconds or (`microTime`) with six digits of a second. */

/** Where the parts of `2006-01-02T15:04:05` end. */
const HEAD_LENGTH = 19;
const SYNTAX = /^(\d\d\d\d-\d\d-\d\d)T(\d?\d)(:\d\d:\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The time that stands for none: it is written as null. */
const ZERO = '0001-01-01T00:00:00';

/**
 * The canonical text of a time: UTC, fractions of a second cut off.
 *
 * @returns null for the zero time; undefined when the text is no time.
 */
export function canonicalTime(text: string): string | null | undefined {
  if (text.length === HEAD_LENGTH + 1 && text.charCodeAt(HEAD_LENGTH) === 90 && isHead(text)) {
    return text.startsWith(ZERO) ? null : text;
  }
  const time = parse(text);
  if (time === undefined) return undefined;
  return time.head === ZERO ? null : `${time.head}Z`;
}

/**
 * The canonical text of a time with exactly six digits of a second.
 *
 * @returns null for the zero time; undefined when the text is no such time.
 */
export function canonicalMicroTime(text: string): string | null | undefined {
  const time = parse(text);
  if (time?.fraction.length !== 6) return undefined;
  return time.head === ZERO && Number(time.fraction) === 0 ? null : `${time.head}.${time.fraction}Z`;
}

/** Whether a text starts with a date and a time of day that exist. */
function isHead(text: string): boolean {
  for (let i = 0; i < HEAD_LENGTH; i++) {
    const c = text.charCodeAt(i);
    if (i === 4 || i === 7) {
      if (c !== 45) return false;
    } else if (i === 10) {
      if (c !== 84) return false;
    } else if (i === 13 || i === 16) {
      if (c !== 58) return false;
    } else if (c < 48 || c > 57) return false;
  }
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (month < 1 || month > 12 || day < 1 || day > (DAYS[month - 1] as number)) return false;
  if (month === 2 && day === 29 && !isLeap(year)) return false;
  return twoDigits(text, 11) < 24 && twoDigits(text, 14) < 60 && twoDigits(text, 17) < 60;
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Date and time in UTC, and the digits of the second's fraction. */
function parse(text: string): { head: string; fraction: string } | undefined {
  const match = SYNTAX.exec(text);
  if (match === null) return undefined;
  const [, date = '', hour = '', rest = '', fraction = '', sign, hours = '', minutes = ''] = match;
  const head = `${date}T${hour.padStart(2, '0')}${rest}`;
  if (!isHead(head)) return undefined;
  if (sign === undefined) return { head, fraction };
  if (Number(hours) > 24 || Number(minutes) > 60) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? 60_000 : -60_000);
  const moved = new Date(Date.parse(`${head}Z`) + offset).toISOString();
  // Beyond the years 0 to 9999, which the zone may lead to, there is no text.
  return moved.length === 24 ? { head: moved.slice(0, HEAD_LENGTH), fraction } : undefined;
}
