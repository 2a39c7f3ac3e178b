import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';

const CLIENT_IP_SECONDS = 10_800;

/** Services: defaults that follow from the type. */
export const serviceHooks: ResourceHooks = {
  defaults(service) {
    const spec = objectAt(service, 'spec');
    if (spec === undefined) return;
    defaultAffinity(spec);
    for (const port of objectsAt(spec, 'ports')) defaultTargetPort(port);
    defaultTrafficPolicies(spec);
    if (spec.type === 'LoadBalancer') defaultIPModes(service);
  },
};

function defaultAffinity(spec: JsonObject): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  const clientIP = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP');
  if (clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: CLIENT_IP_SECONDS } };
  }
}

function defaultTargetPort(port: JsonObject): void {
  const target = port.targetPort;
  if (target === undefined || target === null || target === 0 || target === '') {
    port.targetPort = numberAt(port, 'port');
  }
}

function defaultTrafficPolicies(spec: JsonObject): void {
  const type = textAt(spec, 'type');
  const external =
    type === 'LoadBalancer' ||
    type === 'NodePort' ||
    (type === 'ClusterIP' && Array.isArray(spec.externalIPs) && spec.externalIPs.length > 0);
  if (external && textAt(spec, 'externalTrafficPolicy') === '') spec.externalTrafficPolicy = 'Cluster';
  if (type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function defaultIPModes(service: ApiObject): void {
  const ingress = objectsAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress');
  for (const address of ingress) if (textAt(address, 'ip') !== '') address.ipMode ??= 'VIP';
}
