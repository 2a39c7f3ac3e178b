import { isObject, objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../hooks.ts';
import { nodeProxy, type NodeAgents } from './agent.ts';
import type { NodeRules } from './validate.ts';

/** Nodes: what can be allocated is what there is, unless the node says otherwise. @param agents absent: they aren't reached. */
export function nodeHooks(
  { statusErrors }: Pick<NodeRules, 'statusErrors'>,
  agents?: NodeAgents,
): ResourceHooks {
  return {
    keepsStatusOnCreate: true,
    ...(agents === undefined ? {} : { connects: { proxy: nodeProxy(agents) } }),
    defaults(node) {
      agreeOnRanges(node);
      const status = objectAt(node, 'status');
      if (status === undefined || isObject(status['allocatable'])) return;
      if (isObject(status['capacity'])) status['allocatable'] = { ...status['capacity'] };
    },
    warnings: (node) =>
      textAt(objectAt(node, 'spec'), 'externalID') === ''
        ? []
        : ['spec.externalID: deprecated, and not used'],
    prepareForCreate(node) {
      dropField(node, 'spec', 'configSource');
      dropField(node, 'status', 'config');
    },
    prepareForUpdate(node, old) {
      if (objectAt(old, 'spec')?.['configSource'] == null) dropField(node, 'spec', 'configSource');
    },
    status: {
      prepareForUpdate(node, old) {
        if (objectAt(old, 'status')?.['config'] == null) dropField(node, 'status', 'config');
      },
      validateUpdate: statusErrors,
    },
    selectableField: (node, path) =>
      path === 'spec.unschedulable' ? String(objectAt(node, 'spec')?.['unschedulable'] === true) : undefined,
  };
}

/** What only objects have that were stored when it was still in use. */
function dropField(node: ApiObject, part: 'spec' | 'status', field: string): void {
  const struct = objectAt(node, part);
  if (struct?.[field] !== undefined) delete struct[field];
}

/** `podCIDR` is the first of `podCIDRs`; where they differ, who wrote the single one knew no other. */
function agreeOnRanges(node: ApiObject): void {
  const spec = objectAt(node, 'spec');
  if (spec === undefined) return;
  const single = textAt(spec, 'podCIDR');
  const ranges = Array.isArray(spec['podCIDRs']) ? spec['podCIDRs'] : [];
  const [first] = ranges;
  if (single !== '' && first !== single) spec['podCIDRs'] = [single];
  else if (single === '' && typeof first === 'string') spec['podCIDR'] = first;
}
