import { parseDuration } from '../../meta/duration.ts';
import { isTimeZone } from './time-zone.ts';

interface Bounds {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly words?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Bounds[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: MONTHS },
  { name: 'day of week', min: 0, max: 6, words: DAYS },
];

const DESCRIPTORS: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

const ZONE = /^(?:TZ|CRON_TZ)=(\S*) +(.*)$/s;
const EVERY = '@every ';

/**
 * What is wrong with a CronJob's schedule: five fields of lists, ranges and steps, a descriptor such as `@daily`, or
 * `@every` and a duration; a time zone before it (`TZ=…`), which only old schedules have. The same texts are schedules
 * that are ones for the controller, so no library for other dialects of cron is asked.
 */
export function scheduleProblem(text: string): string | undefined {
  const zoned = ZONE.exec(text);
  if (zoned === null && /^(?:CRON_)?TZ=/.test(text)) return 'has a time zone only';
  if (zoned !== null && !isTimeZone(zoned[1] ?? '')) return `${zoned[1]} is no time zone`;
  const schedule = zoned === null ? text : (zoned[2] ?? '').trim();
  if (schedule.startsWith('@')) return descriptorProblem(schedule);
  const fields = schedule.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) return `must have ${FIELDS.length} fields, not ${fields.length}`;
  for (const [i, bounds] of FIELDS.entries()) {
    const problem = fieldProblem(fields[i] ?? '', bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined;
  if (!text.startsWith(EVERY)) return `${text} is no schedule`;
  const duration = text.slice(EVERY.length);
  return parseDuration(duration) === undefined ? `${duration} is no duration` : undefined;
}

function fieldProblem(field: string, bounds: Bounds): string | undefined {
  for (const range of field.split(',')) {
    const problem = range === '' ? undefined : rangeProblem(range, bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** One of `*`, `1`, `1-5`, with a step behind it or without. */
function rangeProblem(text: string, bounds: Bounds): string | undefined {
  const { name, min, max } = bounds;
  const [range = '', step, ...steps] = text.split('/');
  const [first = '', last, ...others] = range.split('-');
  const any = first === '*' || first === '?';
  if (steps.length > 0 || (!any && others.length > 0)) return `${text} is no range of the ${name}`;
  if (step !== undefined && !(Number(number(step)) > 0)) return `${step} is no step of the ${name}`;
  if (any) return undefined;
  const from = valueOf(first, bounds);
  const to = last === undefined ? (step === undefined ? from : max) : valueOf(last, bounds);
  if (from === undefined || to === undefined) return `${range} is no ${name}`;
  return from < min || to > max || from > to ? `${range} is not from ${min} to ${max}` : undefined;
}

function valueOf(text: string, { min, words = [] }: Bounds): number | undefined {
  const word = words.indexOf(text.toLowerCase());
  return word < 0 ? number(text) : word + min;
}

function number(text: string): number | undefined {
  return /^\+?\d{1,9}$/.test(text) ? Number(text) : undefined;
}
