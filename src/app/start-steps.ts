import type { Following } from '../store/following.ts';
import type { RunningObjectStore } from '../store/create.ts';
import type { Verbs } from '../verbs/verbs.ts';
import { bootstrap, POLICY_HOOK } from './bootstrap.ts';
import { bootstrapFlowControl, FLOW_CONTROL_HOOK, FLOW_CONTROL_MANAGER } from './bootstrap-flow-control.ts';
import { bootstrapPolicy } from './bootstrap-policy.ts';
import { clusterInfo } from './cluster-info.ts';
import type { ControlPlaneParts } from './control-plane-parts.ts';
import type { CompletedConfig } from './options/complete.ts';
import type { Services } from './services.ts';
import { serverItself } from './server-itself.ts';
import { StartHooks } from './start-hooks.ts';

/** The step that compares what is marked as taken with what services have. */
const REPAIR_HOOK = 'start-service-ip-repair-controllers';
/** The step that loads the caches. */
const CACHES_HOOK = 'storage-object-count-tracker-hook';

/** The step that follows what decisions are made by. */
const INFORMERS_HOOK = 'generic-apiserver-start-informers';
/** The steps that begin telling others who this server is, and looking for those that are gone. */
export const IDENTITY_HOOKS: readonly string[] = [
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
];
/** The step that begins telling who vouches for clients. */
const TRUST_HOOK = 'start-cluster-authentication-info-controller';
/** The step that begins telling since when legacy tokens are tracked. */
const TOKEN_TRACKING_HOOK = 'start-legacy-token-tracking-controller';
/** The steps that the controllers of every server begin with. */
export const CONTROLLER_HOOKS: readonly string[] = [TRUST_HOOK, TOKEN_TRACKING_HOOK];

/** The steps of a start, in the order that health checks are listed in. */
export function startHooks({ gates }: Pick<CompletedConfig, 'gates'>): StartHooks {
  return new StartHooks([
    INFORMERS_HOOK,
    CACHES_HOOK,
    'start-system-namespaces-controller',
    TRUST_HOOK,
    ...(gates.enabled('APIServerIdentity') ? IDENTITY_HOOKS : []),
    TOKEN_TRACKING_HOOK,
    REPAIR_HOOK,
    POLICY_HOOK,
    'scheduling/bootstrap-system-priority-classes',
    FLOW_CONTROL_HOOK,
    'bootstrap-controller',
  ]);
}

/** What a start is told. */
export interface Starting {
  readonly port: number;
  /** The authority of the servers' certificates, PEM. */
  readonly authority: string;
  readonly hooks: StartHooks;
  /** Nothing is missing in the store; the caches, and what decisions are made by, are loaded on demand. */
  readonly prepared: boolean;
}

/** What is started. */
export interface Startable {
  readonly store: RunningObjectStore;
  readonly verbs: Verbs;
  readonly services: Services;
}

/**
 * Loads the caches, follows what decisions are made by, and creates what every control plane has.
 *
 * @param following called with what is followed, before it is complete: it must be closed even if the start fails.
 */
export async function start(
  parts: ControlPlaneParts,
  { store, verbs, services }: Startable,
  starting: Starting,
  following: (following: Following) => void,
): Promise<void> {
  const { schemas, names, clock, authorization } = parts;
  const { hooks, prepared } = starting;
  await hooks.run(CACHES_HOOK, () => store.start(prepared ? [] : schemas.stored()));
  await store.whenReady();
  const policy = authorization.follow({ store, schemas, names, clock });
  following(policy);
  const server = serverItself(verbs, 'orch');
  const source = { store, schemas, server };
  if (prepared) {
    services.startPrepared(source);
    hooks.skipRest();
    return;
  }
  await Promise.all([
    hooks.run(INFORMERS_HOOK, () => policy.ready),
    hooks.run(REPAIR_HOOK, () => services.start(source)),
  ]);
  await createMissing(parts, { store, verbs }, starting);
}

function createMissing(
  { config, names, schemas }: ControlPlaneParts,
  { store, verbs }: Pick<Startable, 'store' | 'verbs'>,
  { port, authority, hooks }: Starting,
): Promise<void> {
  const server = serverItself(verbs, 'orch');
  const flowControlServer = serverItself(verbs, FLOW_CONTROL_MANAGER);
  return bootstrap({
    profile: names.name,
    schemas,
    store,
    server,
    own: clusterInfo({ names, address: config.advertiseAddress, port, authority }),
    policy: () => bootstrapPolicy({ names, schemas, store, server }),
    flowControl: () => bootstrapFlowControl({ names, schemas, store, server: flowControlServer }),
    hooks,
  });
}
