import type { JsonObject } from '../../../meta/object.ts';
import type { Output } from '../output.ts';

/** Tells of an object that is going: it takes changes, but goes all the same. */
export async function warnIfDeleting(stderr: Output, object: JsonObject | undefined): Promise<void> {
  const { name, deletionTimestamp } = (object?.['metadata'] ?? {}) as {
    name?: string;
    deletionTimestamp?: string;
  };
  if (deletionTimestamp === undefined) return;
  await stderr.write(`Warning: Detected changes to resource ${name} which is currently being deleted.\n`);
}
