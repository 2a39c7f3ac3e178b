import { escalationCheck } from '../authz/rbac/escalation.ts';
import type { TokenIssuer } from '../authn/service-account/issuer.ts';
import { requireAccessBy } from '../authz/require-access.ts';
import {
  cborEncoding,
  protobufEncoding,
  TEXT_ENCODINGS,
  type Encoding,
} from '../http/negotiate/encodings.ts';
import type { FormSources } from '../http/respond/forms.ts';
import type { Item } from '../http/respond/views.ts';
import type { Clock } from '../lib/clock.ts';
import type { ApiObject } from '../meta/object.ts';
import type { NamingProfile } from '../names/profile.ts';
import { createRowMaker } from '../registry/cells/cells.ts';
import { createConverter } from '../registry/convert/converter.ts';
import type { PodSettings } from '../registry/pod/settings.ts';
import { createHooks } from '../registry/hooks-table.ts';
import { createObjectCodec } from '../registry/object-codec.ts';
import type { TokenQuestions } from '../registry/reviews/reviews.ts';
import type { ResourceDefinition, SchemaRegistry } from '../schema/model.ts';
import { DocumentTypes } from '../schema/document-types.ts';
import { ProtobufDocuments } from '../schema/protobuf/documents.ts';
import type { Storage } from '../storage/port.ts';
import { createObjectStore, type RunningObjectStore } from '../store/create.ts';
import type { Following } from '../store/following.ts';
import type { StoreObserver } from '../store/observer.ts';
import { inProcess, type InProcess } from '../verbs/in-process.ts';
import type { Log } from '../telemetry/log/log.ts';
import { createVerbs, type Verbs } from '../verbs/verbs.ts';
import { openAdmission } from './admission.ts';
import type { Authorization } from './authorization/authorization.ts';
import { bootstrap, POLICY_HOOK } from './bootstrap.ts';
import { bootstrapFlowControl, FLOW_CONTROL_HOOK, FLOW_CONTROL_MANAGER } from './bootstrap-flow-control.ts';
import { bootstrapPolicy } from './bootstrap-policy.ts';
import type { AllocationObserver } from './metrics/allocation.ts';
import { clusterInfo } from './cluster-info.ts';
import { componentChecks } from './components.ts';
import type { OpenedSettings } from './admission-settings/open.ts';
import type { AdmissionObservers } from './metrics/admission.ts';
import type { CompletedConfig } from './options/complete.ts';
import { openRules } from './rules.ts';
import { openServices } from './services.ts';
import type { StartHooks } from './start-hooks.ts';
import { tokenRequestsOf } from './service-account-tokens.ts';

/** The step that compares what is marked as taken with what services have. */
const REPAIR_HOOK = 'start-service-ip-repair-controllers';

/** The steps of a start, in the order that health checks are listed in. */
export const START_HOOKS: readonly string[] = [
  'storage-object-count-tracker-hook',
  'start-system-namespaces-controller',
  REPAIR_HOOK,
  POLICY_HOOK,
  'scheduling/bootstrap-system-priority-classes',
  FLOW_CONTROL_HOOK,
  'bootstrap-controller',
];

/** The gate of requests and answers in CBOR. */
export const CBOR_GATE = 'CBORServingAndStorage';

/** Who the server is when it makes requests of itself. */
const SERVER = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };
/** The field manager of what admission writes besides the request's object. */
const ADMISSION_MANAGER = 'kube-apiserver';

/** Everything between the HTTP side and the storage. */
export interface ControlPlane {
  readonly store: RunningObjectStore;
  readonly verbs: Verbs;
  readonly forms: Omit<FormSources, 'metaGroup'>;
  readonly encodings: readonly Encoding[];
  servesGroup(group: string): boolean;
  /** Loads the caches and creates what every control plane has. Resolves when reads are served from memory. */
  start(starting: Starting): Promise<void>;
  close(): Promise<void>;
}

export interface Starting {
  readonly port: number;
  /** The authority of the servers' certificates, PEM. */
  readonly authority: string;
  readonly hooks: StartHooks;
  /** Nothing is missing in the store; the caches, and what decisions are made by, are loaded on demand. */
  readonly prepared: boolean;
}

export interface ControlPlaneParts {
  readonly config: CompletedConfig;
  readonly names: NamingProfile;
  readonly schemas: SchemaRegistry;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly authorization: Authorization;
  /** Whose tokens are whose. */
  readonly tokens: TokenQuestions;
  /** Signs tokens of service accounts. */
  readonly tokenIssuer: TokenIssuer;
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** A new object's uid. */
  readonly newUid: () => string;
  readonly observer: StoreObserver;
  readonly allocation: AllocationObserver;
  readonly log: Log;
  readonly admissionObservers: AdmissionObservers;
  readonly admissionSettings: OpenedSettings;
}

/** Puts the parts together; nothing is read or written before `start`. */
export function createControlPlane(parts: ControlPlaneParts): ControlPlane {
  const { config, names, schemas, storage, clock, authorization, tokens, observer } = parts;
  let following: Following | undefined;
  const protobufType = names.get('mediaType.protobuf');
  const kept = {
    root: config.storage.etcdPrefix.replace(/\/+$/, ''),
    storeAs: config.storage.mediaType === protobufType ? 'protobuf' : 'json',
  } as const;
  const services = openServices({ ...parts, ...kept, observer: parts.allocation });
  const components = componentChecks(storage, config.storage.healthTimeoutMs);
  const { authorize } = authorization;
  const grants = escalationCheck({
    index: authorization.policy,
    known: authorization.known,
    authorize,
    rbacGroup: names.get('group.rbac'),
  });
  const pods: PodSettings = {
    allowsPrivileged: config.allowsPrivileged,
    gate: (name) => config.gates.enabled(name),
  };
  const hooksOf = createHooks(names, {
    pods,
    ...{ components, grants, access: authorization, tokens },
    tokenRequests: tokenRequestsOf(config, { issuer: parts.tokenIssuer, newId: parts.newUid }),
    services: services.parts,
  });
  const convert = createConverter(names);
  const codec = createObjectCodec({ schemas, hooksOf, convert });
  const storedRows = new Map(schemas.stored().map((row) => [row.storage?.prefix, row]));
  const storedVersion = (row: ResourceDefinition): ResourceDefinition =>
    storedRows.get(row.storage?.prefix) ?? row;
  const store = createObjectStore({
    storage,
    ...kept,
    profile: names.name,
    tokenVersion: `${names.get('group.meta')}/v1`,
    codec,
    storedVersion,
    clock,
    observer,
  });
  const admissionServer = (): InProcess => inProcess(verbs, { user: SERVER, userAgent: ADMISSION_MANAGER });
  const verbs: Verbs = createVerbs({
    store,
    schemas,
    hooksOf,
    rules: openRules(names, pods),
    admission: openAdmission({ ...parts, store, authorize, server: admissionServer }),
    convert: (object, from, to) => codec.convert(object, from, to),
    requireAccess: requireAccessBy(authorize),
    removesUnread: config.gates.enabled('AllowUnsafeMalformedObjectDeletion'),
    names,
    clock,
    random: parts.random,
    newUid: parts.newUid,
    cbor: config.gates.enabled(CBOR_GATE),
    streamsLists: config.gates.enabled('WatchList'),
    minRequestTimeoutSeconds: config.requests.minWatchSeconds,
    eventTtlSeconds: Math.ceil(config.storage.eventTtlMs / 1000),
  });
  const makeRow = createRowMaker(names, (object, resource) =>
    codec.convert(object as ApiObject, resource, storedVersion(resource)),
  );
  const objectOf = (resource: ResourceDefinition, item: Item): ApiObject =>
    'object' in item ? item.object : store.decode(item.entry, resource);
  const types = new DocumentTypes(schemas, names.get('group.meta'));
  const documents = new ProtobufDocuments(types);
  return {
    store,
    verbs,
    encodings: [
      ...TEXT_ENCODINGS,
      protobufEncoding(protobufType, (json) => documents.encode(json)),
      ...(config.gates.enabled(CBOR_GATE) ? [cborEncoding(types)] : []),
    ],
    servesGroup: (group) => schemas.groups().some(({ name }) => name === group),
    forms: {
      encoding: (entry, resource) => store.encoding(entry, resource),
      row: (resource, item) => makeRow(resource, objectOf(resource, item), clock.now()),
      encodeObject: (object, resource) => codec.encode(object, resource),
      messages: {
        of: (entry, resource) => store.message(entry, resource),
        lengthOf: (entry, resource) => store.messageLength(entry, resource),
        listMetadata: (json) => documents.listMetadata(json),
      },
    },
    async start({ port, authority, hooks, prepared }) {
      const preloaded = prepared ? [] : schemas.stored();
      await hooks.run('storage-object-count-tracker-hook', () => store.start(preloaded));
      await store.whenReady();
      following = authorization.follow({ store, schemas, names, clock });
      const server = inProcess(verbs, { user: SERVER, userAgent: 'orch' });
      const source = { store, schemas, server };
      if (prepared) {
        services.startPrepared(source);
        hooks.skipRest();
        return;
      }
      const repaired = hooks.run(REPAIR_HOOK, () => services.start(source));
      await Promise.all([following.ready, repaired]);
      await bootstrap({
        profile: names.name,
        schemas,
        server,
        own: clusterInfo({ names, address: config.advertiseAddress, port, authority }),
        policy: () => bootstrapPolicy({ names, schemas, store, server }),
        flowControl: () =>
          bootstrapFlowControl({
            names,
            schemas,
            store,
            server: inProcess(verbs, { user: SERVER, userAgent: FLOW_CONTROL_MANAGER }),
          }),
        hooks,
      });
    },
    close() {
      services.close();
      following?.close();
      return Promise.resolve(store.close());
    },
  };
}
