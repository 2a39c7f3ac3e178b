import type { Description } from './description.ts';
import type { Described } from './objects.ts';
import { since } from './times.ts';
import type { World } from './world.ts';

/** What an event is about. */
export interface EventSubject {
  readonly name: string;
  readonly namespace: string;
  readonly kind?: string | undefined;
  readonly uid?: string | undefined;
}

interface Event {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly eventTime?: string | null;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly count?: number;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string | null };
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
}

/** The subject that the events of an object name. */
export function subjectOf({ kind, metadata }: Described): EventSubject {
  return { kind, name: metadata.name ?? '', namespace: metadata.namespace ?? '', uid: metadata.uid };
}

/** Writes what happened to a subject, the oldest first. Who may not see events sees that there are none. */
export async function writeEvents(
  page: Description,
  subjects: readonly EventSubject[],
  world: World,
): Promise<void> {
  const events: Event[] = [];
  for (const subject of subjects) events.push(...(await findEvents(subject, world)));
  if (events.length === 0) return page.row('Events', '<none>');
  page.newColumns();
  page.line('Events:');
  page.line('Type\tReason\tAge\tFrom\tMessage', 1);
  page.line('----\t------\t----\t----\t-------', 1);
  for (const event of events.sort(byLastTime)) {
    const { type = '', reason = '', message = '', source, reportingComponent = '' } = event;
    const from = source?.component || reportingComponent;
    page.line(`${type}\t${reason}\t${interval(event, world.now)}\t${from}\t${message.trim()}`, 1);
  }
}

async function findEvents({ name, namespace, kind, uid }: EventSubject, world: World): Promise<Event[]> {
  const terms: readonly [string, string | undefined][] = [
    ['kind', kind],
    ['name', name],
    ['namespace', namespace],
    ['uid', uid],
  ];
  const fieldSelector = terms
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `involvedObject.${field}=${value}`)
    .join(',');
  try {
    return await world.list<Event>({ group: '', kind: 'Event' }, { namespace, fieldSelector });
  } catch {
    return [];
  }
}

function byLastTime(a: Event, b: Event): number {
  return timeOf(a.lastTimestamp) - timeOf(b.lastTimestamp);
}

function timeOf(time: string | null | undefined): number {
  return time ? Date.parse(time) : 0;
}

function interval(
  { eventTime, firstTimestamp, lastTimestamp, series, count = 0 }: Event,
  now: number,
): string {
  const first = since(eventTime || firstTimestamp, now);
  if (series !== undefined)
    return `${since(series.lastObservedTime, now)} (x${series.count ?? 0} over ${first})`;
  return count > 1 ? `${since(lastTimestamp, now)} (x${count} over ${first})` : first;
}
