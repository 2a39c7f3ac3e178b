import { readFile } from 'node:fs/promises';
import { attributePolicies } from '../../authz/abac/authorizer.ts';
import { readPolicyFile } from '../../authz/abac/policy-file.ts';
import {
  authorizeUnion,
  type Authorizer,
  type Decision,
  type SingleAuthorizer,
} from '../../authz/authorizer.ts';
import { alwaysAllow, alwaysDeny, masters } from '../../authz/built-in.ts';
import { rbacAuthorizer } from '../../authz/rbac/authorizer.ts';
import { rulesFor } from '../../authz/rbac/escalation.ts';
import { PolicyIndex } from '../../authz/rbac/policy-index.ts';
import { allRules, joinRules, type AuthorizationMode, type UserRules } from '../../authz/rules.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { Log } from '../../telemetry/log/log.ts';
import type { UserInfo } from '../../request/context.ts';
import { followOnDemand, whenReady, type Following, type WhenKnown } from '../../store/following.ts';
import type { AuthorizationObserver } from '../metrics/authorization.ts';
import type { CompletedConfig } from '../options/complete.ts';
import { followRoles, type FollowParts } from './follow-roles.ts';
import { openNodeMode, type NodeMode } from './nodes.ts';

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
  const { modes } = parts.config.authorization;
  const policy = new PolicyIndex();
  let following: Following | undefined;
  const known = whenReady(() => following);
  const nodes = modes.includes('Node')
    ? openNodeMode(parts.config, parts.names, (...change) => parts.observer.graphChanged(...change))
    : undefined;
  const openers = modeOpeners(parts, { policy, known, nodes });
  const opened: AuthorizationMode[] = [];
  for (const mode of modes) {
    const one = await openers[mode]?.();
    if (one === undefined) continue;
    opened.push({
      ...one,
      authorize: counted(one.authorize, parts.observer.decisions(mode, mode.toLowerCase())),
    });
  }
  const rulesOf = joinRules(opened.map((mode) => mode.rulesFor));
  return {
    authorize: authorizeUnion([masters, ...opened.map(({ authorize }) => authorize)]),
    async rulesFor(user, namespace) {
      await known();
      return rulesOf(user, namespace);
    },
    policy,
    known: async () => known(),
    follow(from) {
      following = followOnDemand(() => followRoles(from, policy));
      return followAll(following, nodes?.follow(from));
    },
  };
}

export interface AuthorizationParts {
  readonly config: Pick<CompletedConfig, 'authorization' | 'gates'>;
  readonly names: NamingProfile;
  readonly log: Log;
  readonly observer: AuthorizationObserver;
}

/** The graph of nodes is nothing that a start waits for. */
function followAll(roles: Following, graph: Following | undefined): Following {
  if (graph === undefined) return roles;
  return {
    get ready() {
      return roles.ready;
    },
    close() {
      roles.close();
      graph.close();
    },
  };
}

type OpenMode = () => AuthorizationMode | Promise<AuthorizationMode>;

interface ModeParts {
  readonly policy: PolicyIndex;
  readonly known: WhenKnown;
  readonly nodes: NodeMode | undefined;
}

function modeOpeners(
  { config, names, log }: AuthorizationParts,
  { policy, known, nodes }: ModeParts,
): Readonly<Record<string, OpenMode>> {
  return {
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny,
    ABAC: () => openPolicyFile(config.authorization.policyFile, { group: names.get('config.abac'), log }),
    RBAC: () => ({
      authorize: rbacAuthorizer(policy, names.get('group.rbac'), known),
      rulesFor: (user, namespace) => allRules(rulesFor(policy, user, namespace)),
    }),
    ...(nodes === undefined ? {} : { Node: () => nodes }),
  };
}

function counted(authorize: SingleAuthorizer, count: (decision: Decision) => void): SingleAuthorizer {
  return (request) => {
    const answer = authorize(request);
    if (answer instanceof Promise) {
      return answer.then((decision) => {
        count(decision);
        return decision;
      });
    }
    count(answer);
    return answer;
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
