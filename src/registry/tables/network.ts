import { endpointSliceHooks } from '../endpointslice/hooks.ts';
import { ingressHooks } from '../ingress/hooks.ts';
import { networkPolicyHooks } from '../networkpolicy/hooks.ts';
import { serviceHooks } from '../service/hooks.ts';
import { serviceProxy } from '../service/proxy.ts';
import { statusKeepsOwnedMetadata } from '../status-metadata.ts';
import type { HooksTable, TableParts } from './parts.ts';

/** How workloads are reached. */
export function networkTable({ names, services, nodeAgents }: TableParts): HooksTable {
  return {
    'core.Service': {
      ...serviceHooks(names, services),
      ...(nodeAgents === undefined ? {} : { connects: { proxy: serviceProxy(nodeAgents.locate) } }),
    },
    'discovery.EndpointSlice': endpointSliceHooks(names),
    'networking.Ingress': ingressHooks(names),
    'networking.NetworkPolicy': networkPolicyHooks,
    'networking.ServiceCIDR': statusKeepsOwnedMetadata,
  };
}
