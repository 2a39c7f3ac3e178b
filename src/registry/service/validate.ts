import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import { parseCidr } from '../../lib/cidr.ts';
import { numberAt, objectAt, textAt } from '../../meta/fields.ts';
import { dnsSubdomainProblems, labelValueProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { addressErrors, hostAddressErrors } from '../address-rules.ts';
import { clusterIPErrors } from './cluster-ip-rules.ts';
import {
  balancerPortErrors,
  repeatedPortErrors,
  strayNodePortErrors,
  unnamedPortErrors,
} from './port-rules.ts';
import { isHeadless, isOpenOutside, needsHealthCheck, portsOf, specOf, textsAt } from './spec.ts';

/** Types of services that have endpoints in the cluster. */
const TYPES_INSIDE: ReadonlySet<string> = new Set(['ClusterIP', 'LoadBalancer', 'NodePort']);
const TRAFFIC_POLICIES = ['Cluster', 'Local'];
const MAX_AFFINITY_SECONDS = 86_400;
const MAX_PORT = 65_535;
const ONLY_BALANCERS = 'may be set for the type LoadBalancer only';

/** The rules of services that are not in `schemas/rules`. */
export function serviceErrors(names: NamingProfile): (service: ApiObject) => FieldError[] {
  const sourceRanges = names.get('annotation.load-balancer-source-ranges');
  return function errorsOf(service) {
    const spec = specOf(service);
    const ports = portsOf(spec);
    const type = textAt(spec, 'type');
    const needsPorts = ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName';
    return [
      ...topologyErrors(service, names),
      ...(needsPorts ? [required('spec.ports')] : []),
      ...typeErrors(spec, type),
      ...unnamedPortErrors(spec),
      ...selectorErrors(objectAt(spec, 'selector')),
      ...affinityErrors(spec),
      ...clusterIPErrors(spec),
      ...externalIPErrors(spec),
      ...(type === 'ClusterIP' ? strayNodePortErrors(spec) : []),
      ...repeatedPortErrors(spec),
      ...sourceRangeErrors(service, type, sourceRanges),
      ...(type !== 'LoadBalancer' && (spec.allocateLoadBalancerNodePorts ?? undefined) !== undefined
        ? [forbidden('spec.allocateLoadBalancerNodePorts', ONLY_BALANCERS)]
        : []),
      ...balancerClassErrors(spec, type),
      ...trafficErrors(spec, type),
    ];
  };
}

/** Two annotations that mean the same must say the same. */
function topologyErrors({ metadata }: ApiObject, names: NamingProfile): FieldError[] {
  const key = names.get('annotation.topology-mode');
  const mode = metadata.annotations?.[key];
  const hints = metadata.annotations?.[names.get('annotation.topology-aware-hints')];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  return [invalid(`metadata.annotations[${key}]`, mode, `must be ${hints}, as the annotation of old says`)];
}

function typeErrors(spec: JsonObject, type: string): FieldError[] {
  switch (type) {
    case 'LoadBalancer':
      return [...balancerPortErrors(spec), ...headlessErrors(spec, type)];
    case 'NodePort':
      return headlessErrors(spec, type);
    case 'ExternalName':
      return externalNameErrors(spec);
    default:
      return [];
  }
}

function headlessErrors(spec: JsonObject, type: string): FieldError[] {
  return isHeadless(spec)
    ? [invalid('spec.clusterIPs[0]', 'None', `must be an address for the type ${type}`)]
    : [];
}

function externalNameErrors(spec: JsonObject): FieldError[] {
  const why = 'may not be set for the type ExternalName';
  const errors: FieldError[] = [];
  for (const field of ['clusterIPs', 'ipFamilies']) {
    if (textsAt(spec, field).length > 0) errors.push(forbidden(`spec.${field}`, why));
  }
  if (typeof spec.ipFamilyPolicy === 'string') errors.push(forbidden('spec.ipFamilyPolicy', why));
  const field = 'spec.externalName';
  const name = textAt(spec, 'externalName').replace(/\.$/, '');
  if (name === '') return [...errors, required(field)];
  return [...errors, ...dnsSubdomainProblems(name).map((problem) => invalid(field, name, problem))];
}

function selectorErrors(selector: JsonObject = {}): FieldError[] {
  const field = 'spec.selector';
  return Object.entries(selector).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalid(field, key, problem)),
    ...(typeof value === 'string' ? labelValueProblems(value) : []).map((p) => invalid(field, value, p)),
  ]);
}

function affinityErrors(spec: JsonObject): FieldError[] {
  const field = 'spec.sessionAffinityConfig';
  const affinity = textAt(spec, 'sessionAffinity');
  const config = objectAt(spec, 'sessionAffinityConfig');
  if (affinity === 'None') {
    return config === undefined ? [] : [forbidden(field, 'may not be set for the affinity None')];
  }
  if (affinity !== 'ClientIP') return [];
  const seconds = objectAt(config, 'clientIP')?.timeoutSeconds;
  const at = `${field}.clientIP.timeoutSeconds`;
  if (typeof seconds !== 'number') return [required(at)];
  if (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS) return [];
  return [invalid(at, seconds, `must be from 1 to ${MAX_AFFINITY_SECONDS}`)];
}

function externalIPErrors(spec: JsonObject): FieldError[] {
  return textsAt(spec, 'externalIPs').flatMap((text, i) => hostAddressErrors(text, `spec.externalIPs[${i}]`));
}

/** The ranges of clients stand in a field, or in an annotation as of old. The field's errors name it as Go does. */
function sourceRangeErrors({ metadata, spec }: ApiObject, type: string, annotation: string): FieldError[] {
  const ranges = textsAt(spec as JsonObject, 'loadBalancerSourceRanges');
  const noted = metadata.annotations?.[annotation];
  if (ranges.length === 0 && noted === undefined) return [];
  const field = ranges.length > 0 ? 'spec.LoadBalancerSourceRanges' : `metadata.annotations[${annotation}]`;
  const texts = ranges.length > 0 ? ranges : noted?.trim() ? noted.split(',') : [];
  return [
    ...(type === 'LoadBalancer' ? [] : [forbidden(field, ONLY_BALANCERS)]),
    ...texts.flatMap((text, i) =>
      parseCidr(text.trim()) === undefined
        ? [invalid(ranges.length > 0 ? `${field}[${i}]` : field, text, 'must be a range such as 10.0.0.0/8')]
        : [],
    ),
  ];
}

function balancerClassErrors(spec: JsonObject, type: string): FieldError[] {
  const name = spec.loadBalancerClass;
  const field = 'spec.loadBalancerClass';
  if (typeof name !== 'string') return [];
  if (type !== 'LoadBalancer') return [forbidden(field, ONLY_BALANCERS)];
  return qualifiedNameProblems(name).map((problem) => invalid(field, name, problem));
}

function trafficErrors(spec: JsonObject, type: string): FieldError[] {
  const errors = [...externalPolicyErrors(spec), ...healthCheckErrors(spec)];
  if (TYPES_INSIDE.has(type) && typeof spec.internalTrafficPolicy !== 'string') {
    errors.push(required('spec.internalTrafficPolicy'));
  }
  return errors;
}

function externalPolicyErrors(spec: JsonObject): FieldError[] {
  const field = 'spec.externalTrafficPolicy';
  const policy = textAt(spec, 'externalTrafficPolicy');
  if (!isOpenOutside(spec)) {
    return policy === '' ? [] : [invalid(field, policy, 'may be set for services open to the outside only')];
  }
  if (policy === '') return [required(field)];
  return TRAFFIC_POLICIES.includes(policy) ? [] : [notSupported(field, policy, TRAFFIC_POLICIES)];
}

function healthCheckErrors(spec: JsonObject): FieldError[] {
  const field = 'spec.healthCheckNodePort';
  const port = numberAt(spec, 'healthCheckNodePort');
  if (needsHealthCheck(spec)) {
    if (port === 0) return [required(field)];
    return port < 1 || port > MAX_PORT ? [invalid(field, port, `must be from 1 to ${MAX_PORT}`)] : [];
  }
  if (port === 0) return [];
  return [invalid(field, port, 'may be set for load balancers with the external traffic policy Local only')];
}

const IP_MODES = ['Proxy', 'VIP'];

/** The rules of a service's status. */
export function serviceStatusErrors(service: ApiObject): FieldError[] {
  const balancer = objectAt(objectAt(service, 'status'), 'loadBalancer');
  const ingress = Array.isArray(balancer?.ingress) ? (balancer.ingress as JsonObject[]) : [];
  if (ingress.length > 0 && textAt(specOf(service), 'type') !== 'LoadBalancer') {
    return [forbidden('status.loadBalancer.ingress', ONLY_BALANCERS)];
  }
  return ingress.flatMap((point, i) => ingressErrors(point, `status.loadBalancer.ingress[${i}]`));
}

function ingressErrors(point: JsonObject, field: string): FieldError[] {
  const ip = textAt(point, 'ip');
  const mode = point.ipMode ?? undefined;
  const errors = ip === '' ? [] : addressErrors(ip, `${field}.ip`);
  if (mode === undefined) {
    if (ip !== '') errors.push(required(`${field}.ipMode`));
  } else if (ip === '') errors.push(forbidden(`${field}.ipMode`, 'may be set with an address only'));
  else if (!IP_MODES.some((known) => known === mode)) {
    errors.push(notSupported(`${field}.ipMode`, mode, IP_MODES));
  }
  const host = textAt(point, 'hostname');
  if (host === '') return errors;
  errors.push(...dnsSubdomainProblems(host).map((problem) => invalid(`${field}.hostname`, host, problem)));
  if (addressErrors(host, '').length === 0) {
    errors.push(invalid(`${field}.hostname`, host, 'must be a name and no address'));
  }
  return errors;
}
