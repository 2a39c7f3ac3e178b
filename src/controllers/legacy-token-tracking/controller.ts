import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { ObjectRef, StoredEntry } from '../../store/object-store.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import { rowOf, type Controller, type ControllerParts } from '../controller.ts';
import { keepOneObject, type OneObject } from '../one-object.ts';
import { dayOf, isDay } from './day.ts';

/** The ConfigMap that says since when the uses of tokens in Secrets are recorded. Its name is the same in all profiles. */
const CONFIG_MAP = 'kube-apiserver-legacy-service-account-token-tracking';
const KEY = 'since';

/** Of servers that don't agree whether they record anything, none makes it anew more often, milliseconds. */
const MAKE_EVERY_MS = 30 * 60_000;

/** Where that ConfigMap is. */
export function trackingRef(names: NamingProfile, resource: ResourceDefinition): ObjectRef {
  return { resource, namespace: names.get('namespace.system'), name: CONFIG_MAP };
}

/** The day since which uses are recorded, as a ConfigMap says it; undefined where it says none. */
export function trackedSince(entry: StoredEntry): string | undefined {
  const since = textAt(objectAt(entry.object(), 'data'), KEY);
  return isDay(since) ? since : undefined;
}

/** Records since when the uses of tokens in Secrets are recorded: before that, one that isn't marked may have been used. */
export const legacyTokenTracking: Controller = {
  name: 'legacy-token-tracking-controller',
  start: (parts) => new Tracking(parts).running,
};

class Tracking {
  readonly #parts: ControllerParts;
  readonly #ref: ObjectRef;
  readonly running: OneObject;
  /** When it may be made anew, milliseconds of the monotonic clock. */
  #mayMakeAt = -Infinity;

  constructor(parts: ControllerParts) {
    const { schemas, names } = parts;
    this.#parts = parts;
    this.#ref = trackingRef(names, rowOf(schemas, ['', 'v1', 'configmaps']));
    this.running = keepOneObject(parts, this.#ref, async (entry) => {
      if (entry === undefined) await this.#make();
      else if (trackedSince(entry) === undefined) await this.#mend(entry);
    });
  }

  async #make(): Promise<void> {
    const { clock, server } = this.#parts;
    const { resource, namespace, name } = this.#ref;
    const early = this.#mayMakeAt - clock.monotonic();
    if (early > 0) {
      this.running.look(early);
      return;
    }
    const metadata = { namespace, name };
    const data = { [KEY]: dayOf(clock.now()) };
    await server.create(resource, { apiVersion: 'v1', kind: resource.kind, metadata, data });
    this.#mayMakeAt = clock.monotonic() + MAKE_EVERY_MS;
  }

  async #mend(entry: StoredEntry): Promise<void> {
    const { clock, server, store } = this.#parts;
    const object = store.decode(entry, this.#ref.resource);
    object['data'] = { ...objectAt(object, 'data'), [KEY]: dayOf(clock.now()) };
    await server.update(this.#ref.resource, object);
  }
}
