import { formatTime } from '../lib/rfc3339.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { rowOf, type ControllerParts } from './controller.ts';

/** The object that an event is about. */
export interface EventSubject {
  readonly row: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Where events about objects without a namespace are. */
const DEFAULT_NAMESPACE = 'default';

/** Records events about objects, as a controller. A failure is logged, and nothing else. */
export function eventRecorder(parts: ControllerParts, component: string) {
  const events = rowOf(parts.schemas, ['', 'v1', 'events']);
  return async function record({ row, namespace, name, uid }: EventSubject, note: EventNote): Promise<void> {
    const { clock, server, log } = parts;
    const now = formatTime(clock.now());
    const apiVersion = row.group === '' ? row.version : `${row.group}/${row.version}`;
    try {
      await server.create(events, {
        apiVersion: 'v1',
        kind: events.kind,
        metadata: {
          name: `${name}.${(clock.now() * 1e6).toString(16)}`,
          namespace: namespace === '' ? DEFAULT_NAMESPACE : namespace,
        },
        involvedObject: { apiVersion, kind: row.kind, namespace, name, uid },
        ...note,
        source: { component },
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      });
    } catch (error) {
      log.v(2, () => ['an event could not be recorded', { reason: note.reason, namespace, name, error }]);
    }
  };
}
