import type { JsonObject } from '../../meta/object.ts';
import { age, name, row, text, type RowCells } from './cell.ts';
import { get, numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { firstThree, formatLabels, formatSelector } from './format.ts';

/** An address with its port; IPv6 addresses in brackets. */
function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function endpoints(object: JsonObject): string {
  const subsets = objectsAt(object, 'subsets');
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap((subset) => {
    const ips = objectsAt(subset, 'addresses').map((a) => textAt(a, 'ip'));
    const ports = objectsAt(subset, 'ports');
    return ports.length === 0
      ? ips
      : ports.flatMap((p) => ips.map((ip) => hostPort(ip, numberAt(p, 'port'))));
  });
  return firstThree(all);
}

function slicePorts(slice: JsonObject): string {
  const ports = objectsAt(slice, 'ports').map((port) =>
    typeof port.port === 'number' ? String(port.port) : typeof port.name === 'string' ? port.name : '*',
  );
  return firstThree(ports) || '<unset>';
}

function sliceEndpoints(slice: JsonObject): string {
  const addresses = objectsAt(slice, 'endpoints').flatMap((e) =>
    Array.isArray(e.addresses) ? e.addresses : [],
  );
  return firstThree(addresses.map(String)) || '<unset>';
}

/** Addresses that a load balancer was given, sorted, each once. */
function loadBalancer(object: JsonObject): string[] {
  const ingress = objectsAt(objectAt(objectAt(object, 'status'), 'loadBalancer'), 'ingress');
  const addresses = ingress.map((i) => textAt(i, 'ip') || textAt(i, 'hostname')).filter((a) => a !== '');
  return [...new Set(addresses)].sort();
}

function externalIP(service: JsonObject): string {
  const spec = objectAt(service, 'spec');
  const external = Array.isArray(spec?.externalIPs) ? spec.externalIPs.map(String) : [];
  switch (textAt(spec, 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer':
      return [...loadBalancer(service), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return textAt(spec, 'externalName');
    default:
      return '<unknown>';
  }
}

function servicePorts(service: JsonObject): string {
  const ports = objectsAt(objectAt(service, 'spec'), 'ports').map((port) => {
    const node = numberAt(port, 'nodePort');
    const number = numberAt(port, 'port');
    return `${node > 0 ? `${number}:${node}` : number}/${textAt(port, 'protocol')}`;
  });
  return ports.join(',') || '<none>';
}

function clusterIP(service: JsonObject): string {
  const ips = objectAt(service, 'spec')?.clusterIPs;
  return Array.isArray(ips) && typeof ips[0] === 'string' ? ips[0] : '<none>';
}

/** The first three hosts, and how many rules there are beyond three, if any rule follows those hosts. */
function ingressHosts(ingress: JsonObject): string {
  const rules = objectsAt(objectAt(ingress, 'spec'), 'rules').map((rule) => textAt(rule, 'host'));
  const hosts = rules.filter((host) => host !== '').slice(0, 3);
  if (hosts.length === 0) return '*';
  const third = hosts.length < 3 ? rules.length : nthHost(rules, 3);
  return third < rules.length - 1 ? `${hosts.join(',')} + ${rules.length - 3} more...` : hosts.join(',');
}

/** Index of the n-th rule that names a host. */
function nthHost(hosts: readonly string[], n: number): number {
  let seen = 0;
  return hosts.findIndex((host) => host !== '' && ++seen === n);
}

function ingressClassParameters(ingressClass: JsonObject): string {
  const parameters = objectAt(objectAt(ingressClass, 'spec'), 'parameters');
  if (parameters === undefined) return '<none>';
  const group = typeof parameters.apiGroup === 'string' ? `.${parameters.apiGroup}` : '';
  return `${textAt(parameters, 'kind')}${group}/${textAt(parameters, 'name')}`;
}

function parentRef(address: JsonObject): string {
  const parent = objectAt(objectAt(address, 'spec'), 'parentRef');
  if (parent === undefined) return '<none>';
  const group = textAt(parent, 'group');
  const resource = group === '' ? textAt(parent, 'resource') : `${textAt(parent, 'resource')}.${group}`;
  const namespace = textAt(parent, 'namespace');
  return `${resource.toLowerCase()}${namespace === '' ? '' : `/${namespace}`}/${textAt(parent, 'name')}`;
}

const serviceSelector = get('spec.selector');
const podSelector = get('spec.podSelector');
const cidrs = get('spec.cidrs');

/** Rows of the kinds that route traffic, by package and kind. */
export const networkCells: Record<string, RowCells> = {
  'core.Service': row(name, text('spec.type'), clusterIP, externalIP, servicePorts, age, (object) =>
    formatLabels(serviceSelector(object)),
  ),
  'core.Endpoints': row(name, endpoints, age),
  'discovery.EndpointSlice': row(name, text('addressType'), slicePorts, sliceEndpoints, age),
  'networking.Ingress': row(
    name,
    text('spec.ingressClassName', '<none>'),
    ingressHosts,
    (object) => loadBalancer(object).join(','),
    (object) => (objectsAt(objectAt(object, 'spec'), 'tls').length > 0 ? '80, 443' : '80'),
    age,
  ),
  'networking.IngressClass': row(name, text('spec.controller'), ingressClassParameters, age),
  'networking.NetworkPolicy': row(name, (object) => formatSelector(podSelector(object)), age),
  'networking.ServiceCIDR': row(
    name,
    (object) => {
      const list = cidrs(object);
      return Array.isArray(list) ? list.map(String).join(',') : '';
    },
    age,
  ),
  'networking.IPAddress': row(name, parentRef, age),
};
