import { numberAt, objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import {
  isOpenOnNodes,
  isOpenOutside,
  needsClusterIP,
  needsHealthCheck,
  nodePortsOf,
  portsOf,
  sameClusterIPs,
  sameFamilies,
  specOf,
} from './spec.ts';

/**
 * Takes away what a service has because of the type that it had: fields that no longer mean anything, that the server
 * may have filled in, and that the client didn't touch. What the client did set stays, and is refused by the rules.
 */
export function dropWhatTheTypeMeant(service: ApiObject, previous: ApiObject): void {
  const spec = specOf(service);
  const old = specOf(previous);
  const before = (applies: (spec: JsonObject) => boolean): boolean => applies(old) && !applies(spec);
  if (before(needsClusterIP)) dropAddresses(spec, old);
  if (before(isOpenOnNodes)) dropNodePorts(spec, old);
  if (before(needsHealthCheck)) dropIfSame(spec, old, 'healthCheckNodePort');
  if (before(isBalanced)) {
    dropIfSame(spec, old, 'allocateLoadBalancerNodePorts');
    dropIfSame(spec, old, 'loadBalancerClass');
  }
  if (before(isOpenOutside)) dropIfSame(spec, old, 'externalTrafficPolicy');
  const status = objectAt(service, 'status');
  if (status !== undefined && !isBalanced(spec)) service.status = { ...status, loadBalancer: {} };
}

function isBalanced(spec: JsonObject): boolean {
  return textAt(spec, 'type') === 'LoadBalancer';
}

function dropAddresses(spec: JsonObject, old: JsonObject): void {
  if (textAt(spec, 'clusterIP') === textAt(old, 'clusterIP') && sameClusterIPs(spec, old)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameFamilies(spec, old)) delete spec.ipFamilies;
  dropIfSame(spec, old, 'ipFamilyPolicy');
}

/** Ports may come and go with the type, as long as none on nodes is new. */
function dropNodePorts(spec: JsonObject, old: JsonObject): void {
  const before = nodePortsOf(old);
  if (!nodePortsOf(spec).every((port) => before.includes(port))) return;
  for (const port of portsOf(spec)) if (numberAt(port, 'nodePort') !== 0) delete port.nodePort;
}

function dropIfSame(spec: JsonObject, old: JsonObject, field: string): void {
  if (spec[field] === old[field]) delete spec[field];
}
