import { defaultPolicyObjects, type DefaultPolicy } from '../authz/rbac/default-policy.ts';
import { reconcile } from '../authz/rbac/reconcile.ts';
import { findEntry } from '../controllers/find-entry.ts';
import { ApiError, type StatusReason } from '../errors/api-error.ts';
import { parseGroupVersion, type ApiObject } from '../meta/object.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { ResourceDefinition, SchemaRegistry } from '../schema/model.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { InProcess } from '../verbs/in-process.ts';
import { readBuilt } from './options/built.ts';

export interface BootstrapPolicyParts {
  readonly names: NamingProfile;
  readonly schemas: SchemaRegistry;
  readonly store: ObjectStore;
  readonly server: InProcess;
}

/** Servers that start at the same time get in each other's way, and do the same. */
const ATTEMPTS = 5;

/** Creates the default roles and bindings that are missing, and adds what is missing of those that are there. */
export async function bootstrapPolicy(parts: BootstrapPolicyParts): Promise<void> {
  const { names, schemas } = parts;
  const policy = readBuilt(names.name, 'rbac') as DefaultPolicy;
  await Promise.all(
    defaultPolicyObjects(policy, names).map(async (object) => {
      const { group = '', version = '' } = parseGroupVersion(object.apiVersion) ?? {};
      const resource = schemas.resourceForKind(group, version, object.kind);
      if (resource !== undefined) await reconcileOne(parts, resource, object);
    }),
  );
}

async function reconcileOne(
  { names, store, server }: BootstrapPolicyParts,
  resource: ResourceDefinition,
  wanted: ApiObject,
): Promise<void> {
  const autoupdate = names.get('annotation.rbac-autoupdate');
  const { namespace = '', name = '' } = wanted.metadata;
  for (let attempt = 1; ; attempt++) {
    try {
      const entry = await findEntry(store, { resource, namespace, name }, attempt === 1 ? 'any' : 'latest');
      if (entry === undefined) {
        await server.create(resource, wanted);
        return;
      }
      const existing = store.decode(entry, resource);
      const decision = reconcile(existing, wanted, autoupdate);
      if (decision.action === 'replace') {
        await server.delete(resource, existing);
        continue;
      }
      if (decision.action === 'update') await server.update(resource, decision.object);
      return;
    } catch (error) {
      const raced = isOneOf(error, ['AlreadyExists', 'Conflict', 'NotFound']);
      if (!raced || attempt === ATTEMPTS) throw error;
    }
  }
}

function isOneOf(error: unknown, reasons: readonly StatusReason[]): boolean {
  return error instanceof ApiError && reasons.some((reason) => reason === error.reason);
}
