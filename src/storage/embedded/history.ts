import type { Revision } from '../../meta/revision.ts';
import type { KeyValue, StorageEvent } from '../port.ts';
import type { RevisionEvents } from './batch.ts';
import type { Change, Position } from './layout.ts';
import { keyValue } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** Reads history from the log, one complete revision at a time. */
export function* readHistory(
  snapshot: Snapshot,
  from: Revision,
  withPrevious: boolean,
): Generator<RevisionEvents> {
  let open: RevisionEvents | undefined;
  for (const { revision, change } of snapshot.changes(from)) {
    if (open?.revision !== revision) {
      if (open !== undefined) yield open;
      open = { revision: revision as Revision, events: [] };
    }
    open.events.push(eventOf(snapshot, open.revision, change, withPrevious));
  }
  if (open !== undefined) yield open;
}

function eventOf(
  snapshot: Snapshot,
  modRevision: Revision,
  change: Change,
  withPrevious: boolean,
): StorageEvent {
  const { key, value } = change;
  const event: StorageEvent = {
    type: change.gone ? 'delete' : 'put',
    key,
    value,
    modRevision,
    createRevision: change.create as Revision,
  };
  const previous = withPrevious && change.previous ? previousOf(snapshot, change.previous) : undefined;
  return previous === undefined ? event : { ...event, previous };
}

/** What a change replaced; undefined when that was a deletion, or has been compacted away. */
function previousOf(snapshot: Snapshot, [revision, sub]: Position): KeyValue | undefined {
  const change = snapshot.change({ revision, sub });
  if (change === undefined || change.gone) return undefined;
  const { key, create, lease, value } = change;
  return keyValue(key, { revision, sub, create, gone: false, lease }, value);
}
