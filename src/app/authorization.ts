import { ALLOW, authorizeUnion, NO_OPINION, type Authorizer } from '../authz/authorizer.ts';
import { masters } from '../authz/built-in.ts';
import { rbacAuthorizer } from '../authz/rbac/authorizer.ts';
import { rulesFor } from '../authz/rbac/escalation.ts';
import { followPolicy } from '../authz/rbac/follow-policy.ts';
import { PolicyIndex } from '../authz/rbac/policy-index.ts';
import type { Clock } from '../lib/clock.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { Access } from '../registry/reviews/reviews.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { Following } from '../store/follow.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { CompletedConfig } from './options/complete.ts';

/** Who may do what, as `--authorization-mode` says. */
export interface Authorization {
  readonly authorize: Authorizer;
  /** Roles and bindings, to be kept up to date: what they may be made to grant is checked in every mode. */
  readonly policy: PolicyIndex;
}

/** Puts the authorizers of all modes in order, behind the one for `system:masters`, which no flag takes away. */
export function createAuthorization({ authorization }: CompletedConfig, names: NamingProfile): Authorization {
  const { modes } = authorization;
  const policy = new PolicyIndex();
  const byMode: Readonly<Record<string, Authorizer | undefined>> = {
    AlwaysAllow: () => Promise.resolve(ALLOW),
    AlwaysDeny: () => Promise.resolve({ ...NO_OPINION, reason: 'Everything is forbidden.' }),
    RBAC: rbacAuthorizer(policy, names.get('group.rbac')),
  };
  const authorizers = modes.map((mode) => byMode[mode]).filter((one) => one !== undefined);
  return { authorize: authorizeUnion([masters, ...authorizers]), policy };
}

/** What users may be told of who may do what. No authorizer but roles has rules to show. */
export function accessOf(authorize: Authorizer, policy: PolicyIndex): Access {
  return {
    authorize,
    rulesFor: (user, namespace) => ({ rules: rulesFor(policy, user, namespace), incomplete: false }),
  };
}

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

interface FollowParts {
  readonly store: ObjectStore;
  readonly schemas: SchemaRegistry;
  readonly names: NamingProfile;
  readonly clock: Clock;
}
