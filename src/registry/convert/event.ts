import type { JsonObject } from '../../meta/object.ts';

/** Field names of a core event and of the same event in its own group. */
const FIELDS: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

/** Renames an event's fields in place, to the group's own form or to the core form. */
export function convertEvent(event: JsonObject, to: 'core' | 'events'): void {
  for (const [core, events] of FIELDS) {
    const [from, target] = to === 'core' ? [events, core] : [core, events];
    if (!(from in event)) continue;
    event[target] = event[from];
    delete event[from];
  }
}
