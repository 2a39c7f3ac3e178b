import { readFile } from 'node:fs/promises';
import { attributePolicies } from '../../authz/abac/authorizer.ts';
import { readPolicyFile } from '../../authz/abac/policy-file.ts';
import { alwaysAllow, alwaysDeny } from '../../authz/built-in.ts';
import { rbacAuthorizer } from '../../authz/rbac/authorizer.ts';
import { rulesFor } from '../../authz/rbac/escalation.ts';
import type { PolicyIndex } from '../../authz/rbac/policy-index.ts';
import { allRules, type AuthorizationMode } from '../../authz/rules.ts';
import type { Log } from '../../telemetry/log/log.ts';
import type { WhenKnown } from '../../store/following.ts';
import type { AuthorizationParts } from './parts.ts';
import type { NodeMode } from './nodes.ts';

/** Modes that stay what they are from the start on, by their types. */
export type FixedModes = ReadonlyMap<string, AuthorizationMode>;

export interface FixedModeParts {
  readonly policy: PolicyIndex;
  readonly known: WhenKnown;
  readonly nodes: NodeMode | undefined;
}

type OpenMode = () => AuthorizationMode | Promise<AuthorizationMode>;

/** Opens the modes of some types; others than these know no such modes. @throws Error that names the flag of a bad file. */
export async function openFixedModes(
  types: readonly string[],
  parts: AuthorizationParts,
  { policy, known, nodes }: FixedModeParts,
): Promise<FixedModes> {
  const { config, names, log } = parts;
  const openers: Readonly<Record<string, OpenMode>> = {
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny,
    ABAC: () => openPolicyFile(config.authorization.policyFile, { group: names.get('config.abac'), log }),
    RBAC: () => ({
      authorize: rbacAuthorizer(policy, names.get('group.rbac'), known),
      rulesFor: (user, namespace) => allRules(rulesFor(policy, user, namespace)),
    }),
    ...(nodes === undefined ? {} : { Node: () => nodes }),
  };
  const modes = new Map<string, AuthorizationMode>();
  for (const type of types) {
    const open = openers[type];
    if (open !== undefined) modes.set(type, await open());
  }
  return modes;
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
