import { findEntry } from '../controllers/find-entry.ts';
import { ApiError } from '../errors/api-error.ts';
import { parseGroupVersion, type ApiObject } from '../meta/object.ts';
import type { ProfileName } from '../names/profile.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { InProcess } from '../verbs/in-process.ts';
import { FLOW_CONTROL_HOOK } from './bootstrap-flow-control.ts';
import { readBuilt } from './options/built.ts';
import type { StartHooks } from './start-hooks.ts';

/** The step of the start that makes the default roles. */
export const POLICY_HOOK = 'rbac/bootstrap-roles';

export interface BootstrapParts {
  readonly profile: ProfileName;
  readonly schemas: SchemaRegistry;
  readonly store: Pick<ObjectStore, 'get'>;
  readonly server: InProcess;
  /** What only this server knows, in the namespaces that the others are. */
  readonly own: readonly ApiObject[];
  /** Creates the default roles and bindings. */
  readonly policy: () => Promise<void>;
  /** Creates the flow-control configuration, and keeps it up to date. */
  readonly flowControl: () => Promise<void>;
  readonly hooks: StartHooks;
}

/**
 * Creates the objects that every control plane has, where they are missing (`schemas/bootstrap/`). Several servers may do
 * so at the same time.
 */
export async function bootstrap(parts: BootstrapParts): Promise<void> {
  const { profile, own, policy, flowControl, hooks } = parts;
  const create = async (objects: readonly ApiObject[]): Promise<void> => {
    await Promise.all(objects.map((object) => createMissing(object, parts)));
  };
  const steps = readBuilt(profile, 'bootstrap') as Record<string, ApiObject[]>;
  await Promise.all(Object.entries(steps).map(([step, objects]) => hooks.run(step, () => create(objects))));
  // Their namespaces are there now.
  await Promise.all([
    hooks.run(FLOW_CONTROL_HOOK, flowControl),
    hooks.run('bootstrap-controller', () => create(own)),
    hooks.run(POLICY_HOOK, policy),
  ]);
}

async function createMissing(object: ApiObject, { schemas, store, server }: BootstrapParts): Promise<void> {
  const { group = '', version = '' } = parseGroupVersion(object.apiVersion) ?? {};
  const resource = schemas.resourceForKind(group, version, object.kind);
  // A version that --runtime-config switched off isn't served, not even to ourselves.
  if (resource === undefined) return;
  const { namespace = '', name = '' } = object.metadata;
  if ((await findEntry(store, { resource, namespace, name }, 'any')) !== undefined) return;
  try {
    await server.create(resource, object);
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
  }
}
