import type { Clock } from '../lib/clock.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { ResourceDefinition, SchemaRegistry } from '../schema/model.ts';

import type { ObjectStore } from '../store/object-store.ts';
import type { Log } from '../telemetry/log/log.ts';
import type { InProcess } from '../verbs/in-process.ts';

/** One of the controllers that run inside the server, as `--controllers` names it. */
export interface Controller {
  /** The interface's own, e.g. `serviceaccount-controller`: also the field manager of what it writes. */
  readonly name: string;
  /** Begins. Nothing happens in it but what an event, or a time that has come, asks for. */
  start(parts: ControllerParts): RunningController;
}

export interface RunningController {
  /** Resolves once it has looked at what there was when it began, or was closed. Absent: nobody needs to know. */
  readonly settled?: Promise<void>;
  /** Ends: what has begun may fail, nothing new begins. */
  close(): void;
}

/** What a controller works with. */
export interface ControllerParts {
  /** For reading: from the watch cache, as fresh as its caller says. */
  readonly store: ObjectStore;
  readonly schemas: SchemaRegistry;
  readonly names: NamingProfile;
  readonly clock: Clock;
  /** For writing, as the controller. */
  readonly server: InProcess;
  /** Of this controller. */
  readonly log: Log;
}

/** The row of a resource that every server has. @throws Error where it isn't served. */
export function rowOf(
  schemas: SchemaRegistry,
  [group, version, resource]: readonly [group: string, version: string, resource: string],
): ResourceDefinition {
  const row = schemas.resource(group, version, resource);
  if (row === undefined) throw new Error(`${resource} of ${group || 'the core group'} are not served`);
  return row;
}
