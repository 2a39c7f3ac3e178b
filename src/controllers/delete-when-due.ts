import type { ControllerParts, RunningController } from './controller.ts';
import { whenDue, type DueObjects } from './when-due.ts';

export interface Deadlines extends Pick<DueObjects, 'row' | 'followed'> {
  /** When an object is to be deleted, milliseconds since 1970; infinite for never. */
  readonly endOf: DueObjects['timeOf'];
  readonly propagationPolicy?: 'Background' | 'Foreground';
}

/** Deletes objects, each at its time: in the version of which that was the time. */
export function deleteWhenDue(
  parts: ControllerParts,
  { endOf, propagationPolicy, ...objects }: Deadlines,
): RunningController {
  return whenDue(parts, {
    ...objects,
    timeOf: endOf,
    async act({ namespace, name, uid, revision }) {
      const preconditions = { uid, resourceVersion: String(revision) };
      const options = { preconditions, ...(propagationPolicy && { propagationPolicy }) };
      await parts.server.delete(objects.row, { metadata: { namespace, name } }, { options });
    },
  });
}
