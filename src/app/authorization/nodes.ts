import type { AuthorizationMode } from '../../authz/rules.ts';
import { nodeAuthorizer } from '../../authz/node/authorizer.ts';
import { followGraph } from '../../authz/node/follow-graph.ts';
import { NodeGraph } from '../../authz/node/graph.ts';
import type { DefaultPolicy } from '../../authz/rbac/default-policy.ts';
import { selectorsOf } from '../../authz/selectors.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { followOnDemand, whenReady, type Following } from '../../store/following.ts';
import { readBuilt } from '../options/built.ts';
import type { CompletedConfig } from '../options/complete.ts';
import type { FollowParts } from './follow-roles.ts';

/** The mode Node, and what keeps its graph up to date: there is one only where the mode is on, from the first node on that asks. */
export interface NodeMode extends AuthorizationMode {
  follow(parts: FollowParts): Following;
}

/** What every node may do is the default role of nodes. */
export function openNodeMode(
  { gates }: Pick<CompletedConfig, 'gates'>,
  names: NamingProfile,
  observe: (operation: string, seconds: number) => void,
): NodeMode {
  const graph = new NodeGraph();
  let following: Following | undefined;
  const policy = readBuilt(names.name, 'rbac') as DefaultPolicy;
  const mode = nodeAuthorizer({
    graph,
    known: whenReady(() => following),
    rules: policy.clusterRoles['system:node']?.rules ?? [],
    names: {
      storage: names.get('group.storage'),
      resource: names.get('group.resource'),
      coordination: names.get('group.coordination'),
      leaseNamespace: names.get('namespace.node-lease'),
    },
    ...(gates.enabled('AuthorizeNodeWithSelectors') ? { selectorsOf } : {}),
  });
  return {
    ...mode,
    follow({ store, schemas, clock }) {
      const row = (group: string, version: string, resource: string) =>
        schemas.resource(group, version, resource);
      const resources = {
        pods: row('', 'v1', 'pods'),
        persistentVolumes: row('', 'v1', 'persistentvolumes'),
        volumeAttachments: row(names.get('group.storage'), 'v1', 'volumeattachments'),
        resourceSlices: row(names.get('group.resource'), 'v1beta1', 'resourceslices'),
      };
      const from = { store, clock, mirror: names.get('annotation.config-mirror'), observe };
      return (following = followOnDemand(() => followGraph(from, resources, graph)));
    },
  };
}
