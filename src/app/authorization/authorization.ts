import { readFile } from 'node:fs/promises';
import { attributePolicies } from '../../authz/abac/authorizer.ts';
import { readPolicyFile } from '../../authz/abac/policy-file.ts';
import { authorizeUnion, type Authorizer } from '../../authz/authorizer.ts';
import { alwaysAllow, alwaysDeny, masters } from '../../authz/built-in.ts';
import { rbacAuthorizer } from '../../authz/rbac/authorizer.ts';
import { rulesFor } from '../../authz/rbac/escalation.ts';
import { PolicyIndex } from '../../authz/rbac/policy-index.ts';
import { allRules, joinRules, type AuthorizationMode, type UserRules } from '../../authz/rules.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { Log } from '../../telemetry/log/log.ts';
import type { UserInfo } from '../../request/context.ts';
import { followOnDemand, type Following } from '../../store/following.ts';
import type { CompletedConfig } from '../options/complete.ts';
import { followRoles, type FollowParts } from './follow-roles.ts';

/** Who may do what, as `--authorization-mode` says. */
export interface Authorization {
  readonly authorize: Authorizer;
  /** What users may be told of who may do what. */
  readonly rulesFor: (user: UserInfo, namespace: string) => Promise<UserRules>;
  /** Roles and bindings, to be kept up to date: what they may be made to grant is checked in every mode. */
  readonly policy: PolicyIndex;
  /** Resolves once `policy` has what the store has. */
  readonly known: () => Promise<void>;
  /** Keeps what decisions are made by as the store has it, from when the first needs it; none is made before it is known. */
  follow(parts: FollowParts): Following;
}

/**
 * Puts the authorizers of all modes in order, behind the one for `system:masters`, which no flag takes away.
 *
 * @throws Error that names the flag of a file that can't be used.
 */
export async function openAuthorization(parts: AuthorizationParts): Promise<Authorization> {
  const policy = new PolicyIndex();
  let following: Following | undefined;
  const known = async (): Promise<void> => following?.ready;
  const openers = modeOpeners(parts, { policy, known });
  const modes: AuthorizationMode[] = [];
  for (const mode of parts.config.authorization.modes) {
    const opened = await openers[mode]?.();
    if (opened !== undefined) modes.push(opened);
  }
  const rulesOf = joinRules(modes.map((mode) => mode.rulesFor));
  return {
    authorize: authorizeUnion([masters, ...modes.map(({ authorize }) => authorize)]),
    async rulesFor(user, namespace) {
      await known();
      return rulesOf(user, namespace);
    },
    policy,
    known,
    follow: (from) => (following = followOnDemand(() => followRoles(from, policy))),
  };
}

export interface AuthorizationParts {
  readonly config: Pick<CompletedConfig, 'authorization'>;
  readonly names: NamingProfile;
  readonly log: Log;
}

type OpenMode = () => AuthorizationMode | Promise<AuthorizationMode>;

function modeOpeners(
  { config, names, log }: AuthorizationParts,
  { policy, known }: Pick<Authorization, 'policy' | 'known'>,
): Readonly<Record<string, OpenMode>> {
  return {
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny,
    ABAC: () => openPolicyFile(config.authorization.policyFile, { group: names.get('config.abac'), log }),
    RBAC: () => ({
      authorize: rbacAuthorizer(policy, names.get('group.rbac'), known),
      rulesFor: (user, namespace) => allRules(rulesFor(policy, user, namespace)),
    }),
  };
}

async function openPolicyFile(
  path: string,
  { group, log }: { readonly group: string; readonly log: Log },
): Promise<AuthorizationMode> {
  try {
    const { policies, unversioned } = readPolicyFile(await readFile(path, 'utf8'), group);
    if (unversioned > 0) {
      log
        .part('authorization')
        .warning('policies without a version are read as of the oldest one', { path, unversioned });
    }
    return attributePolicies(policies);
  } catch (cause) {
    throw new Error(`--authorization-policy-file: ${path}`, { cause });
  }
}
