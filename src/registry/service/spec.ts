import { numberAt, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';

/** The spec of a service; a new one where it has none. */
export function specOf(service: ApiObject): JsonObject {
  let spec = objectAt(service, 'spec');
  if (spec === undefined) service.spec = spec = {};
  return spec;
}

/** The texts of a list field; none when it is absent. */
export function textsAt(spec: JsonObject, field: string): string[] {
  const list = spec[field];
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : [];
}

/** Sets a list field, or takes it away when there is nothing in it. */
export function setTexts(spec: JsonObject, field: string, texts: readonly string[]): void {
  if (texts.length > 0) spec[field] = [...texts];
  else delete spec[field];
}

export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

/** The value of `clusterIP` and `clusterIPs` of a service without an address of its own. */
export const HEADLESS = 'None';

export function isHeadless(spec: JsonObject): boolean {
  return sameTexts(textsAt(spec, 'clusterIPs'), [HEADLESS]);
}

/** Whether a service has addresses, or says that it has none. */
export function needsClusterIP(spec: JsonObject): boolean {
  return textAt(spec, 'type') !== 'ExternalName';
}

export function isOpenOnNodes(spec: JsonObject): boolean {
  const type = textAt(spec, 'type');
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** Whether a service is given ports on nodes that it doesn't ask for. */
export function takesNodePorts(spec: JsonObject): boolean {
  return isOpenOnNodes(spec) && (spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false);
}

/** Whether a service says itself where its endpoints are, of whichever family. */
export function namesItsEndpoints(spec: JsonObject): boolean {
  return textAt(spec, 'clusterIP') === HEADLESS && sizeOf(spec.selector) === 0;
}

/** Whether clients outside of the cluster reach a service. */
export function isOpenOutside(spec: JsonObject): boolean {
  return (
    isOpenOnNodes(spec) || (textAt(spec, 'type') === 'ClusterIP' && textsAt(spec, 'externalIPs').length > 0)
  );
}

/** Whether load balancers ask nodes whether they have endpoints of a service. */
export function needsHealthCheck(spec: JsonObject): boolean {
  return textAt(spec, 'type') === 'LoadBalancer' && textAt(spec, 'externalTrafficPolicy') === 'Local';
}

export function portsOf(spec: JsonObject): JsonObject[] {
  return objectsAt(spec, 'ports');
}

/** The ports on nodes that a service's own ports have, each once. */
export function nodePortsOf(spec: JsonObject): number[] {
  return [...new Set(portsOf(spec).map((port) => numberAt(port, 'nodePort')))].filter((port) => port !== 0);
}

export function sameClusterIPs(a: JsonObject, b: JsonObject): boolean {
  return sameTexts(textsAt(a, 'clusterIPs'), textsAt(b, 'clusterIPs'));
}

export function sameFamilies(a: JsonObject, b: JsonObject): boolean {
  return sameTexts(textsAt(a, 'ipFamilies'), textsAt(b, 'ipFamilies'));
}
