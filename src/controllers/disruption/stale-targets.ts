import { formatTime } from '../../lib/rfc3339.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { rowOf, type ControllerParts, type RunningController } from '../controller.ts';
import { whenDue } from '../when-due.ts';

const TARGET = 'DisruptionTarget';
const MENTIONED = Buffer.from(JSON.stringify(TARGET));
/** How long a pod may be about to be disrupted and not be deleted, milliseconds. */
const STALE_MS = 120_000;
/** A node agent may take as long as it likes to end a pod. */
const BY_NODE_AGENT = 'TerminationByKubelet';
const OVER = new Set(['Succeeded', 'Failed']);

/** Takes back that pods are to be disrupted where nobody has deleted them in two minutes: what wanted to has failed. */
export function resetStaleTargets(parts: ControllerParts): RunningController {
  const { schemas, store, server, clock } = parts;
  const row = rowOf(schemas, ['', 'v1', 'pods']);
  return whenDue(parts, {
    row,
    timeOf: staleAt,
    // Pods are many, and those few.
    followed: { filter: { matches: (entry) => entry.mentions(MENTIONED) } },
    async act(entry) {
      const pod = store.decode(entry, row);
      const conditions = objectsAt(objectAt(pod, 'status'), 'conditions');
      const reset = { type: TARGET, status: 'False', lastTransitionTime: formatTime(clock.now()) };
      pod.status = {
        ...objectAt(pod, 'status'),
        conditions: conditions.map((one) => (one.type === TARGET ? reset : one)),
      };
      await server.update(row, pod, { subresource: 'status' });
    },
  });
}

/** When a pod's condition counts no more, milliseconds since 1970; infinite where it does, or isn't there. */
export function staleAt({ metadata, status }: ApiObject): number {
  const state = status as JsonObject | undefined;
  const target = objectsAt(state, 'conditions').find(({ type }) => type === TARGET);
  if (target?.['status'] !== 'True' || metadata.deletionTimestamp != null) return Infinity;
  if (textAt(target, 'reason') === BY_NODE_AGENT || OVER.has(textAt(state, 'phase'))) return Infinity;
  const since = Date.parse(textAt(target, 'lastTransitionTime'));
  return Number.isNaN(since) ? 0 : since + STALE_MS;
}
