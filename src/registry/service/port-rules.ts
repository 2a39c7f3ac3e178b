import { duplicate, forbidden, invalid, required, type FieldError } from '../../errors/field-error.ts';
import { numberAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { portsOf } from './spec.ts';

/** Of node agents: whoever opens it to the outside opens the nodes. */
const KUBELET_PORT = 10_250;

/** Ports are told apart by their names, where there are several. */
export function unnamedPortErrors(spec: JsonObject): FieldError[] {
  const ports = portsOf(spec);
  if (ports.length < 2) return [];
  return ports.flatMap((port, i) => (textAt(port, 'name') === '' ? [required(`spec.ports[${i}].name`)] : []));
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
