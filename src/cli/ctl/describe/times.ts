import { humanDuration } from '../../../lib/human-duration.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** What Go shows for no time. */
const NO_TIME = 'Mon, 01 Jan 0001 00:00:00 +0000';

/** A time as RFC 1123 has it, in the time zone of this computer: `Sat, 21 Nov 2026 11:41:36 +0000`. */
export function longTime(time: string | null | undefined): string {
  if (!time) return NO_TIME;
  const date = new Date(time);
  const day = `${DAYS[date.getDay()]}, ${two(date.getDate())} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
  return `${day} ${clock(date)} ${zone(date)}`;
}

/** A time as Go prints it: `2026-11-21 11:41:36 +0000 UTC`. */
export function plainTime(time: string | null | undefined): string {
  if (!time) return '0001-01-01 00:00:00 +0000 UTC';
  const date = new Date(time);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${clock(date)} ${zone(date)} ${zoneName(date)}`;
}

/** How long ago a time was. */
export function since(time: string | null | undefined, now: number): string {
  return time ? humanDuration(now - Date.parse(time)) : '<unknown>';
}

function clock(date: Date): string {
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

function zone(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${two(hours)}${two(rest)}`;
}

function zoneName(date: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(date);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
