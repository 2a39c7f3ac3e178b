import { followPolicy } from '../../authz/rbac/follow-policy.ts';
import type { PolicyIndex } from '../../authz/rbac/policy-index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { SchemaRegistry } from '../../schema/model.ts';
import type { Following } from '../../store/following.ts';
import type { ObjectStore } from '../../store/object-store.ts';

/** Keeps `policy` as the store has it, from what there is now on. */
export function followRoles({ store, schemas, names, clock }: FollowParts, policy: PolicyIndex): Following {
  const rows = (resources: readonly string[]) =>
    resources
      .map((resource) => schemas.resource(names.get('group.rbac'), 'v1', resource))
      .filter((row) => row !== undefined);
  return followPolicy(
    { store, clock },
    {
      roles: rows(['clusterroles', 'roles']),
      bindings: rows(['clusterrolebindings', 'rolebindings']),
    },
    policy,
  );
}

export interface FollowParts {
  readonly store: ObjectStore;
  readonly schemas: SchemaRegistry;
  readonly names: NamingProfile;
  readonly clock: Clock;
}
