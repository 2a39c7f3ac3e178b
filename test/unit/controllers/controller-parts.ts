import type { ControllerParts } from '../../../src/controllers/controller.ts';
import { createLog, type Entry } from '../../../src/telemetry/log/log.ts';
import { inProcess } from '../../../src/verbs/in-process.ts';
import type { Cluster } from '../verbs/cluster.ts';

/** What a controller of a cluster in memory works with. @param told gets what it logs */
export function controllerParts(
  cluster: Cluster,
  name: string,
  told: (entry: Entry) => void,
): ControllerParts {
  const { store, schemas, names, clock, verbs } = cluster;
  const user = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };
  return {
    ...{ store, schemas, names, clock },
    server: inProcess(verbs, { user, userAgent: name }),
    log: createLog({ sink: told, verbosity: 0 }),
  };
}
