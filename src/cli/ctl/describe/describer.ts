import type { Description } from './description.ts';
import type { EventSubject } from './events.ts';
import type { World } from './world.ts';

/** How the objects of a kind are described. */
export interface Describer<T extends object = object> {
  /** Writes all but the events. */
  readonly write: (page: Description, object: T, world: World) => Promise<void> | void;
  /** What the events to show are about; by default the object. An empty list leaves them out. */
  readonly subjects?: (object: T, world: World) => readonly EventSubject[];
}

/** Types a describer by its kind; the type is forgotten where it enters the table. */
export function defineDescriber<T extends object>(describer: Describer<T>): Describer {
  return describer as unknown as Describer;
}

/** For kinds whose descriptions tell of no events. */
export const NO_EVENTS = (): readonly EventSubject[] => [];
