import { ApiError } from '../errors/api-error.ts';
import { ExpiringCache } from '../lib/expiring-cache.ts';
import { formatTime } from '../lib/rfc3339.ts';
import { formatGroupVersion } from '../meta/object.ts';
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
/** How long an event is counted up when the same happens again, milliseconds. */
const SAME_FOR_MS = 10 * 60_000;
/** How many events are remembered for that. */
const REMEMBERED = 4096;

/** An event that was recorded. */
interface Recorded {
  readonly name: string;
  readonly namespace: string;
  readonly count: number;
}

/**
 * Records events about objects, as a controller: what happens again within ten minutes is counted. A failure is logged, and
 * nothing else.
 */
export function eventRecorder(parts: ControllerParts, component: string) {
  const { clock, server, log } = parts;
  const events = rowOf(parts.schemas, ['', 'v1', 'events']);
  const known = new ExpiringCache<Recorded>({ clock, limit: REMEMBERED });
  let latest = 0n;
  /** Nanoseconds as far as names are concerned: no two are the same. */
  const stamp = (): string => {
    const now = BigInt(clock.now()) * 1_000_000n;
    latest = now > latest ? now : latest + 1n;
    return latest.toString(16);
  };

  async function create({ row, namespace, name, uid }: EventSubject, note: EventNote): Promise<Recorded> {
    const now = formatTime(clock.now());
    const apiVersion = formatGroupVersion(row.group, row.version);
    const metadata = {
      name: `${name}.${stamp()}`,
      namespace: namespace === '' ? DEFAULT_NAMESPACE : namespace,
    };
    await server.create(events, {
      apiVersion: 'v1',
      kind: events.kind,
      metadata,
      involvedObject: { apiVersion, kind: row.kind, namespace, name, uid },
      ...note,
      source: { component },
      reportingComponent: component,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    });
    return { ...metadata, count: 1 };
  }

  /** @returns undefined where the event is gone. */
  async function countUp({ name, namespace, count: before }: Recorded): Promise<Recorded | undefined> {
    const count = before + 1;
    try {
      await server.merge(events, {
        metadata: { name, namespace },
        count,
        lastTimestamp: formatTime(clock.now()),
      });
      return { name, namespace, count };
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
      throw error;
    }
  }

  return async function record(subject: EventSubject, note: EventNote): Promise<void> {
    const key = [subject.uid, note.type, note.reason, note.message].join('\n');
    const before = known.get(key);
    try {
      const recorded = (before && (await countUp(before))) ?? (await create(subject, note));
      known.set(key, recorded, SAME_FOR_MS);
    } catch (error) {
      const { namespace, name } = subject;
      log.v(2, () => ['an event could not be recorded', { reason: note.reason, namespace, name, error }]);
    }
  };
}
