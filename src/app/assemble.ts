import type { Gateway } from '../http/gateway.ts';
import { loadSchemas } from '../schema/load.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { StoreObserver } from '../store/observer.ts';
import { createControlPlane, type ControlPlane } from './control-plane.ts';
import { createServerGateway } from './gateway.ts';
import type { WritableSource } from './late-objects.ts';
import type { ServerParts } from './open-parts.ts';
import type { ServerConfiguration, ServerSurroundings } from './surroundings.ts';
import { serverItself } from './server-itself.ts';
import type { StartHooks } from './start-hooks.ts';
import { startHooks } from './start-steps.ts';

/** A server that neither listens nor reads its store yet. */
export interface AssembledServer {
  readonly schemas: SchemaRegistry;
  readonly plane: ControlPlane;
  readonly gateway: Gateway;
  readonly hooks: StartHooks;
  /** The objects, as the server itself sees them. */
  readonly source: WritableSource;
}

/** Puts a server together of its parts. */
export function assemble(parts: ServerParts, surroundings: ServerSurroundings): AssembledServer {
  const { config, storage, metrics, identity, authorization, nodeAgents } = parts;
  const schemas = surroundings.schemas ?? schemasFor(parts);
  const plane = createControlPlane({
    ...parts,
    schemas,
    tokens: identity.authentication.tokens,
    tokenIssuer: identity.tokenIssuer,
    nodeAgents: nodeAgents.agents,
    observer: storeObserver(parts),
    allocation: metrics.allocation,
    admissionObservers: metrics.admission,
  });
  const source = { store: plane.store, schemas, server: serverItself(plane.verbs, 'orch') };
  parts.objects.connect(source);
  metrics.watchStore(plane.store, storage);
  const hooks = startHooks(config);
  const { version, filters, wrapVerbs } = surroundings;
  const around = { version, filters, wrapVerbs, relay: nodeAgents.relay, authorize: authorization.authorize };
  const gateway = createServerGateway({ ...parts, ...around, schemas, plane, hooks });
  return { schemas, plane, gateway, hooks, source };
}

/** The schemas of what is served. */
export function schemasFor({ config, names }: Omit<ServerConfiguration, 'warnings'>): SchemaRegistry {
  const { served, gates } = config;
  return loadSchemas({ profile: names.name, enabled: served, gate: (gate) => gates.enabled(gate) });
}

/** Counts what the store does, and logs what an operator must know of it. */
function storeObserver({ metrics: { store }, log }: ServerParts): StoreObserver {
  const part = log.part('store');
  return {
    ...store,
    unreadable(key, why) {
      store.unreadable?.(key, why);
      part.error('a stored object can not be read', undefined, { key, why });
    },
    watchFailed: (partition, error) => part.warning('the watch of the store failed', { partition, error }),
  };
}
