import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../errors/field-error.ts';
import { numberAt, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems, portNameProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { portsOf } from './spec.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const MAX_PORT = 65_535;
/** Of node agents: whoever opens it to the outside opens the nodes. */
const KUBELET_PORT = 10_250;

/** What is wrong with each port. */
export function portErrors(spec: JsonObject): FieldError[] {
  const ports = portsOf(spec);
  const names = new Set<string>();
  return ports.flatMap((port, i) => {
    const field = `spec.ports[${i}]`;
    const name = textAt(port, 'name');
    const repeated = name !== '' && names.has(name);
    names.add(name);
    return [
      ...nameErrors(name, `${field}.name`, ports.length > 1),
      ...(repeated ? [duplicate(`${field}.name`, name)] : []),
      ...portNumberErrors(port.port, `${field}.port`),
      ...protocolErrors(port, `${field}.protocol`),
      ...targetErrors(port.targetPort, `${field}.targetPort`),
      ...appProtocolErrors(port, `${field}.appProtocol`),
    ];
  });
}

function nameErrors(name: string, field: string, needed: boolean): FieldError[] {
  if (name === '') return needed ? [required(field)] : [];
  return dnsLabelProblems(name).map((problem) => invalid(field, name, problem));
}

export function portNumberErrors(value: Json | undefined, field: string): FieldError[] {
  const port = typeof value === 'number' ? value : 0;
  return port >= 1 && port <= MAX_PORT ? [] : [invalid(field, port, `must be from 1 to ${MAX_PORT}`)];
}

export function protocolErrors(port: JsonObject, field: string): FieldError[] {
  const protocol = textAt(port, 'protocol');
  if (protocol === '') return [required(field)];
  return PROTOCOLS.includes(protocol) ? [] : [notSupported(field, protocol, PROTOCOLS)];
}

function targetErrors(target: Json | undefined, field: string): FieldError[] {
  if (typeof target !== 'string') return portNumberErrors(target, field);
  return portNameProblems(target).map((problem) => invalid(field, target, problem));
}

export function appProtocolErrors(port: JsonObject, field: string): FieldError[] {
  const protocol = port.appProtocol;
  if (typeof protocol !== 'string') return [];
  return qualifiedNameProblems(protocol).map((problem) => invalid(field, protocol, problem));
}

/** Ports that load balancers must not have. */
export function balancerPortErrors(spec: JsonObject): FieldError[] {
  return portsOf(spec).flatMap(({ port }, i) =>
    port === KUBELET_PORT
      ? [invalid(`spec.ports[${i}]`, port, 'must not be opened to the outside: node agents listen there')]
      : [],
  );
}

/** Ports on nodes, of services that have none. */
export function strayNodePortErrors(spec: JsonObject): FieldError[] {
  return portsOf(spec).flatMap((port, i) =>
    numberAt(port, 'nodePort') === 0
      ? []
      : [forbidden(`spec.ports[${i}].nodePort`, 'may not be set for the type ClusterIP')],
  );
}

/** Pairs of a protocol and a port, or a port on nodes, that occur twice. */
export function repeatedPortErrors(spec: JsonObject): FieldError[] {
  const ports = portsOf(spec);
  const onNodes = new Set<string>();
  const own = new Set<string>();
  const repeated = (seen: Set<string>, key: string): boolean => seen.size === seen.add(key).size;
  return [
    ...ports.flatMap((port, i) => {
      const nodePort = numberAt(port, 'nodePort');
      return nodePort !== 0 && repeated(onNodes, `${textAt(port, 'protocol')}/${nodePort}`)
        ? [duplicate(`spec.ports[${i}].nodePort`, nodePort)]
        : [];
    }),
    ...ports.flatMap((port, i) => {
      const key = `${textAt(port, 'protocol')}/${numberAt(port, 'port')}`;
      return repeated(own, key) ? [duplicate(`spec.ports[${i}]`, key)] : [];
    }),
  ];
}
