import { lead } from '../client/election/lead.ts';
import type { Lease, Leases } from '../client/election/lease-lock.ts';
import { StatusError } from '../client/status-error.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ApiObject } from '../meta/object.ts';
import type { ResourceDefinition, SchemaRegistry } from '../schema/model.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { InProcess } from '../verbs/in-process.ts';
import type { VerbResult } from '../verbs/result.ts';
import type { ControlPlane } from './control-plane.ts';
import type { ServerCommons } from './server-commons.ts';

/** The Lease in the system namespace whose holder runs the controllers. */
const LEASE = 'orch-controllers';

/** How often the leader says that it is there, milliseconds: a third of the time after which it counts as gone. */
const RENEWAL_MS = 5000;

/** How long a server waits after it lost the lead, before it is a candidate again, milliseconds. */
const CANDIDATE_AGAIN_MS = 1000;

export interface LeadParts extends Omit<ServerCommons, 'config'> {
  readonly schemas: SchemaRegistry;
  readonly plane: Pick<ControlPlane, 'store'>;
  readonly server: InProcess;
  /** This server's, among all that share the store. */
  readonly identity: string;
  /** Begins what only the leader does. @returns what ends it */
  readonly start: () => () => void;
}

/** Of all servers on one store lets one run the controllers. @returns what ends it, and gives up the lead. */
export function leadControllers(parts: LeadParts): () => Promise<void> {
  const ended = new AbortController();
  const campaign = leadAgainAndAgain(parts, ended.signal);
  return async () => {
    ended.abort(new Error('the server stops'));
    await campaign;
  };
}

async function leadAgainAndAgain(parts: LeadParts, signal: AbortSignal): Promise<void> {
  const { names, schemas, clock, random, identity, start } = parts;
  const log = parts.log.part('controllers');
  const resource = schemas.resource(names.get('group.coordination'), 'v1', 'leases');
  if (resource === undefined) throw new Error('leases are not served');
  const leases = ownLeases(parts, resource, names.get('namespace.system'));
  const work = async (lost: AbortSignal): Promise<void> => {
    const stop = start();
    if (!lost.aborted)
      await new Promise((resolve) => lost.addEventListener('abort', resolve, { once: true }));
    stop();
  };
  const onError = (error: unknown): void => {
    if (!signal.aborted) log.v(2, () => ['the lease of the controllers could not be taken', { error }]);
  };
  const own = { name: LEASE, renewPeriod: RENEWAL_MS };
  while (!signal.aborted) {
    try {
      await lead({ ...own, leases, identity, clock, random, work, signal, onError });
    } catch (error) {
      log.error('the controllers stopped here', error);
      await new Promise<void>((resolve) => clock.after(CANDIDATE_AGAIN_MS, resolve));
    }
  }
}

/** Leases as the election sees them, without going through HTTP. */
function ownLeases({ plane, server }: LeadParts, resource: ResourceDefinition, namespace: string): Leases {
  const { store } = plane;
  const placed = (lease: Lease): ApiObject => ({
    ...(lease as object),
    apiVersion: `${resource.group}/${resource.version}`,
    kind: resource.kind,
    metadata: { ...(lease.metadata as ApiObject['metadata']), namespace },
  });
  return {
    get: (name, options) =>
      asClient(async () => {
        const entry = await store.get({ resource, namespace, name, at: { at: 'latest' }, ...options });
        return store.decode(entry, resource);
      }),
    create: (lease, options) =>
      asClient(async () => written(store, await server.create(resource, placed(lease), options))),
    update: (lease, options) =>
      asClient(async () => written(store, await server.update(resource, placed(lease), options))),
  };
}

/** Refusals as clients know them. */
async function asClient<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof ApiError ? new StatusError(error.toStatus()) : error;
  }
}

function written(store: ObjectStore, result: VerbResult): Lease {
  if (result.kind !== 'entry') throw new Error(`a lease was written, and the answer was a ${result.kind}`);
  return store.decode(result.entry, result.resource);
}
