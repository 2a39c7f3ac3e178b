import { escalationCheck } from '../authz/rbac/escalation.ts';
import { createConverter } from '../registry/convert/converter.ts';
import { createHooks } from '../registry/hooks-table.ts';
import type { ResourceHooks } from '../registry/hooks.ts';
import { createObjectCodec } from '../registry/object-codec.ts';
import type { PodSettings } from '../registry/pod/settings.ts';
import type { ServiceParts } from '../registry/service/hooks.ts';
import type { ResourceDefinition, SchemaRegistry } from '../schema/model.ts';
import type { RuleBook } from '../schema/rules/rule-book.ts';
import { componentChecks } from './components.ts';
import type { ControlPlaneParts } from './control-plane-parts.ts';
import { openRules } from './rules.ts';
import { tokenRequestsOf } from './service-account-tokens.ts';

/** What is known of kinds besides their types: rules, hooks, versions and encodings. */
export interface Kinds {
  readonly hooksOf: (resource: ResourceDefinition) => ResourceHooks;
  readonly rules: RuleBook;
  readonly codec: ReturnType<typeof createObjectCodec>;
  /** The row of the version that a resource is stored in. */
  readonly storedVersion: (resource: ResourceDefinition) => ResourceDefinition;
}

/** @param services what the hooks of Services take addresses and ports from. */
export function openKinds(parts: ControlPlaneParts, services: ServiceParts): Kinds {
  const { config, names, schemas, storage, authorization, tokens } = parts;
  const { authorize } = authorization;
  const pods: PodSettings = {
    allowsPrivileged: config.allowsPrivileged,
    gate: (name) => config.gates.enabled(name),
  };
  const hooksOf = createHooks(names, {
    pods,
    components: componentChecks(storage, config.storage.healthTimeoutMs),
    grants: escalationCheck({
      index: authorization.policy,
      known: authorization.known,
      authorize,
      rbacGroup: names.get('group.rbac'),
    }),
    access: authorization,
    tokens,
    tokenRequests: tokenRequestsOf(config, { issuer: parts.tokenIssuer, newId: parts.newUid }),
    services,
    nodeAgents: parts.nodeAgents,
  });
  return {
    hooksOf,
    rules: openRules(names, pods),
    codec: createObjectCodec({ schemas, hooksOf, convert: createConverter(names) }),
    storedVersion: findStoredVersion(schemas),
  };
}

function findStoredVersion(schemas: SchemaRegistry): Kinds['storedVersion'] {
  const rows = new Map(schemas.stored().map((row) => [row.storage?.prefix, row]));
  return (row) => rows.get(row.storage?.prefix) ?? row;
}
