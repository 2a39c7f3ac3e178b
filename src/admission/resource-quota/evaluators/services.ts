import { numberAt, objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { ResourceList } from '../../../meta/resource-list.ts';
import { count, ONE, writesObject, type QuotaEvaluator } from './evaluator.ts';

const NAMES: ReadonlySet<string> = new Set([
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
]);

/** Services: how many, how many ports of nodes they need, and how many balance load. */
export const services: QuotaEvaluator = {
  handles: writesObject,
  measures: (name) => NAMES.has(name),
  usage(service): ResourceList {
    const spec = objectAt(service, 'spec');
    const type = textAt(spec, 'type');
    const ports = objectsAt(spec, 'ports');
    const balances = type === 'LoadBalancer';
    // Ports that are still to be given count as well.
    const asked =
      balances && spec?.['allocateLoadBalancerNodePorts'] === false
        ? ports.filter((port) => numberAt(port, 'nodePort') !== 0)
        : ports;
    return new Map([
      ['count/services', ONE],
      ['services', ONE],
      ['services.nodeports', count(balances || type === 'NodePort' ? asked.length : 0)],
      ['services.loadbalancers', count(balances ? 1 : 0)],
    ]);
  },
};
