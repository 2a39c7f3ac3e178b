import { componentStatusHooks } from '../componentstatus/hooks.ts';
import { eventHooks } from '../event/hooks.ts';
import { limitRangeHooks } from '../limitrange/hooks.ts';
import { namespaceHooks } from '../namespace/hooks.ts';
import { nodeHooks } from '../node/hooks.ts';
import { nodeRules } from '../node/validate.ts';
import { resourceNames } from '../resource-names.ts';
import { resourceQuotaHooks } from '../resourcequota/hooks.ts';
import { runtimeClassHooks } from '../runtimeclass/hooks.ts';
import { priorityClassHooks } from '../scheduling/hooks.ts';
import type { HooksTable, TableParts } from './parts.ts';

/** Where workloads run, and within which bounds. */
export function clusterTable({ names, components = [], nodeAgents }: TableParts): HooksTable {
  const resources = resourceNames(names.get('prefix.resource'));
  return {
    'core.ComponentStatus': componentStatusHooks(components),
    'core.Event': eventHooks,
    'core.LimitRange': limitRangeHooks(resources),
    'core.Namespace': namespaceHooks(names),
    'core.Node': nodeHooks(nodeRules(names), nodeAgents),
    'core.ResourceQuota': resourceQuotaHooks(resources),
    'node.RuntimeClass': runtimeClassHooks(names),
    'scheduling.PriorityClass': priorityClassHooks,
  };
}
