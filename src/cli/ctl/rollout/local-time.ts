/** A time in whole seconds where the user is, as Go writes it in RFC 3339: `2026-05-01T10:00:00+02:00`. */
export function localTime(time: Date): string {
  const offset = -time.getTimezoneOffset();
  const shifted = new Date(time.getTime() + offset * 60_000).toISOString().slice(0, 19);
  if (offset === 0) return `${shifted}Z`;
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${shifted}${offset < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
