import { requireAccessBy } from '../authz/require-access.ts';
import { createObjectStore, type RunningObjectStore } from '../store/create.ts';
import type { Following } from '../store/following.ts';
import { createVerbs, type Verbs } from '../verbs/verbs.ts';
import { openAdmission } from './admission.ts';
import type { FreeUnused } from './apiserver-service.ts';
import { CBOR_GATE, openAnswers, type Answers } from './answers.ts';
import type { ControlPlaneParts } from './control-plane-parts.ts';
import { openKinds, type Kinds } from './kinds.ts';
import { openServices } from './services.ts';
import { serverItself } from './server-itself.ts';
import { start, type Starting } from './start-steps.ts';

/** The field manager of what admission writes besides the request's object. */
const ADMISSION_MANAGER = 'kube-apiserver';

/** Everything between the HTTP side and the storage. */
export interface ControlPlane extends Answers {
  readonly store: RunningObjectStore;
  readonly verbs: Verbs;
  servesGroup(group: string): boolean;
  /** Loads the caches and creates what every control plane has. Resolves when reads are served from memory. */
  start(starting: Starting): Promise<void>;
  readonly freeUnused: FreeUnused;
  close(): Promise<void>;
}

/** Puts the parts together; nothing is read or written before `start`. */
export function createControlPlane(parts: ControlPlaneParts): ControlPlane {
  const { schemas } = parts;
  let following: Following | undefined;
  const layout = layoutOf(parts);
  const services = openServices({ ...parts, ...layout, observer: parts.allocation });
  const kinds = openKinds(parts, services.parts);
  const store = createObjectStore({
    ...layout,
    storage: parts.storage,
    profile: parts.names.name,
    tokenVersion: `${parts.names.get('group.meta')}/v1`,
    codec: kinds.codec,
    storedVersion: kinds.storedVersion,
    clock: parts.clock,
    observer: parts.observer,
  });
  const verbs = openVerbs(parts, kinds, store);
  return {
    store,
    verbs,
    ...openAnswers(parts, kinds, store),
    servesGroup: (group) => schemas.groups().some(({ name }) => name === group),
    start: (starting) => start(parts, { store, verbs, services }, starting, (policy) => (following = policy)),
    freeUnused: services.freeUnused,
    close() {
      services.close();
      following?.close();
      return Promise.resolve(store.close());
    },
  };
}

/** Where objects are stored, and in which encoding. */
function layoutOf({ config, names }: ControlPlaneParts): { root: string; storeAs: 'protobuf' | 'json' } {
  const { etcdPrefix, mediaType } = config.storage;
  return {
    root: etcdPrefix.replace(/\/+$/, ''),
    storeAs: mediaType === names.get('mediaType.protobuf') ? 'protobuf' : 'json',
  };
}

function openVerbs(parts: ControlPlaneParts, kinds: Kinds, store: RunningObjectStore): Verbs {
  const { config, schemas, names, clock, random, newUid } = parts;
  const { authorize } = parts.authorization;
  const { hooksOf, rules, codec } = kinds;
  const verbs = createVerbs({
    ...{ store, schemas, hooksOf, rules, names, clock, random, newUid },
    admission: openAdmission({
      ...parts,
      store,
      authorize,
      server: () => serverItself(verbs, ADMISSION_MANAGER),
    }),
    convert: (object, from, to) => codec.convert(object, from, to),
    requireAccess: requireAccessBy(authorize),
    collectsGarbage: config.collectsGarbage,
    removesUnread: config.gates.enabled('AllowUnsafeMalformedObjectDeletion'),
    cbor: config.gates.enabled(CBOR_GATE),
    streamsLists: config.gates.enabled('WatchList'),
    minRequestTimeoutSeconds: config.requests.minWatchSeconds,
    eventTtlSeconds: Math.ceil(config.storage.eventTtlMs / 1000),
  });
  return verbs;
}
