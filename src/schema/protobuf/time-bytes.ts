/** Reading canonical times, `2006-01-02T15:04:05Z` and `2006-01-02T15:04:05.000000Z`, where they stand. */

/** Seconds since 1970. */
export function secondsAt(json: Buffer, at: number): number {
  const year = two(json, at) * 100 + two(json, at + 2);
  const month = two(json, at + 5);
  const day = two(json, at + 8);
  const time = two(json, at + 11) * 3600 + two(json, at + 14) * 60 + two(json, at + 17);
  return daysBefore(year, month, day) * 86_400 + time;
}

/** Nanoseconds of the second, from six digits. */
export function nanosAt(json: Buffer, at: number): number {
  return (two(json, at + 20) * 10_000 + two(json, at + 22) * 100 + two(json, at + 24)) * 1000;
}

/** Days from 1970 to a date of the Gregorian calendar, whose years begin in March here: leap days then come last. */
function daysBefore(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const cycle = Math.floor(y / 400);
  const ofCycle = y - cycle * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    cycle * 146_097 + ofCycle * 365 + Math.floor(ofCycle / 4) - Math.floor(ofCycle / 100) + ofYear - 719_468
  );
}

function two(json: Buffer, at: number): number {
  return ((json[at] as number) - 0x30) * 10 + (json[at + 1] as number) - 0x30;
}
