import { isObject, objectAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';

/** Nodes: what can be allocated is what there is, unless the node says otherwise. */
export const nodeHooks: ResourceHooks = {
  keepsStatusOnCreate: true,
  defaults(node) {
    const status = objectAt(node, 'status');
    if (status === undefined || isObject(status.allocatable)) return;
    if (isObject(status.capacity)) status.allocatable = { ...status.capacity };
  },
  selectableField: (node, path) =>
    path === 'spec.unschedulable' ? String(objectAt(node, 'spec')?.unschedulable === true) : undefined,
};
