import { isObject, type JsonObject } from '../../../meta/object.ts';
import type { ApiResource } from '../api/resource.ts';
import { CtlError } from '../errors.ts';

/** A kind that a service can lead to: where its objects say which pods are theirs, and what those serve. */
interface ExposableKind {
  readonly group: string;
  readonly kind: string;
  /** Field of the labels that the pods have. */
  readonly labels: string;
  /** Field of a selector's further demands, which no service can make. */
  readonly expressions?: string;
  /** Field of the pod's containers, or of a service's ports. */
  readonly serves: string;
}

const OF_TEMPLATE = {
  group: 'apps',
  labels: 'spec.selector.matchLabels',
  expressions: 'spec.selector.matchExpressions',
  serves: 'spec.template.spec.containers',
};

const EXPOSABLE: readonly ExposableKind[] = [
  { group: '', kind: 'Pod', labels: 'metadata.labels', serves: 'spec.containers' },
  { group: '', kind: 'Service', labels: 'spec.selector', serves: 'spec.ports' },
  {
    group: '',
    kind: 'ReplicationController',
    labels: 'spec.selector',
    serves: 'spec.template.spec.containers',
  },
  { ...OF_TEMPLATE, kind: 'Deployment' },
  { ...OF_TEMPLATE, kind: 'ReplicaSet' },
];

/** What an object says of the pods behind it. */
export interface Exposed {
  /** Labels of the pods; undefined where it doesn't tell. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Why it doesn't tell. */
  readonly why: string;
  /** Protocols by port, in the order in which the ports are named. */
  readonly protocols: ReadonlyMap<number, readonly string[]>;
}

interface Port {
  readonly containerPort?: number;
  readonly port?: number;
  readonly protocol?: string;
}

/** @throws CtlError for kinds that no service can lead to. */
export function exposedBy({ group, kind }: ApiResource, object: JsonObject): Exposed {
  const row = EXPOSABLE.find((one) => one.group === group && one.kind === kind);
  if (row === undefined) {
    const known = EXPOSABLE.map((one) => one.kind);
    throw new CtlError(`cannot expose a ${group === '' ? kind : `${kind}.${group}`}`, {
      hint: `It is one of ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
    });
  }
  const labels = valueAt(object, row.labels) as Record<string, string> | undefined;
  const expressions = row.expressions === undefined ? undefined : valueAt(object, row.expressions);
  const told = labels !== undefined && Object.keys(labels).length > 0;
  const demanding = Array.isArray(expressions) && expressions.length > 0;
  return {
    labels: told && !demanding ? labels : undefined,
    why: demanding
      ? 'its selector has expressions, which services do not take'
      : `it has no ${row.labels}, by which a service would find its pods`,
    protocols: protocolsOf(valueAt(object, row.serves)),
  };
}

function valueAt(object: JsonObject, path: string): unknown {
  let value: unknown = object;
  for (const field of path.split('.'))
    value = isObject(value as JsonObject) ? (value as JsonObject)[field] : undefined;
  return value;
}

function protocolsOf(serving: unknown): Map<number, readonly string[]> {
  const entries = (Array.isArray(serving) ? serving : []) as (Port & { readonly ports?: readonly Port[] })[];
  const ports = entries.flatMap((entry): readonly Port[] =>
    entry.port === undefined ? (entry.ports ?? []) : [entry],
  );
  const protocols = new Map<number, readonly string[]>();
  for (const { containerPort, port = containerPort ?? 0, protocol = 'TCP' } of ports) {
    const known = protocols.get(port) ?? [];
    if (!known.includes(protocol)) protocols.set(port, [...known, protocol]);
  }
  return protocols;
}
