import {
  CLUSTERROLE_AGGREGATION,
  runClusterRoleAggregation,
} from '../controllers/clusterrole-aggregation/controller.ts';
import type { Clock } from '../lib/clock.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { Log } from '../telemetry/log/log.ts';
import { inProcess } from '../verbs/in-process.ts';
import type { ControlPlane } from './control-plane.ts';
import type { CompletedConfig } from './options/complete.ts';
import { runsController } from './options/controllers.ts';

export interface ControllersParts {
  readonly config: CompletedConfig;
  readonly names: NamingProfile;
  readonly schemas: SchemaRegistry;
  readonly plane: ControlPlane;
  readonly clock: Clock;
  readonly log: Log;
}

/** Starts the controllers that `--controllers` asks for. @returns what stops them. */
export function startControllers(parts: ControllersParts): () => void {
  const { config, names, schemas, plane, clock } = parts;
  const log = parts.log.part('controllers');
  const clusterRoles = schemas.resource(names.get('group.rbac'), 'v1', 'clusterroles');
  if (clusterRoles === undefined || !runsController(config.controllers, CLUSTERROLE_AGGREGATION)) {
    return () => undefined;
  }
  const user = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };
  const server = inProcess(plane.verbs, { user, userAgent: CLUSTERROLE_AGGREGATION });
  const running = runClusterRoleAggregation({
    store: plane.store,
    clock,
    resource: clusterRoles,
    apply: (object) => server.apply(clusterRoles, object),
    onError: (role, error) => log.error('a role could not be put together of others', error, { role }),
  });
  return () => running.close();
}
