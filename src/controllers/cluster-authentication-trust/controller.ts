import { objectAt } from '../../meta/fields.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type RunningController } from '../controller.ts';
import { keepOneObject } from '../one-object.ts';
import { combinedTrust, type ClusterTrust } from './trust.ts';

/** The ConfigMap in the system namespace. Its name is the same in all profiles. */
const CONFIG_MAP = 'extension-apiserver-authentication';

export interface TrustSource {
  readonly current: () => ClusterTrust;
  /** Tells when it has changed. @returns what ends that. */
  readonly onChange: (changed: () => void) => () => void;
}

/** Tells servers that extend this one by what they know clients and proxies, and mends it where somebody changed it. */
export function clusterAuthenticationTrust({ current, onChange }: TrustSource): Controller {
  return {
    name: 'cluster-authentication-trust-controller',
    start(parts): RunningController {
      const { schemas, names, store, server, clock } = parts;
      const resource = rowOf(schemas, ['', 'v1', 'configmaps']);
      const namespace = names.get('namespace.system');
      const keep = async (entry: StoredEntry | undefined): Promise<void> => {
        const metadata = { name: CONFIG_MAP, namespace };
        const object =
          entry === undefined
            ? { apiVersion: 'v1', kind: resource.kind, metadata }
            : store.decode(entry, resource);
        const before = objectAt(object, 'data') ?? {};
        const data = combinedTrust(before, current(), clock.now());
        if (sameJson(before, data)) return;
        if (entry === undefined) await server.create(resource, { ...object, data });
        else await server.update(resource, { ...object, data });
      };
      const running = keepOneObject(parts, { resource, namespace, name: CONFIG_MAP }, keep);
      const end = onChange(() => running.look());
      return {
        settled: running.settled,
        close() {
          end();
          running.close();
        },
      };
    },
  };
}
