import type { ApiObject, JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';
import type { Exposed } from './exposed.ts';
import { parseLabels } from './labels.ts';
import { portNumber } from './run-pod.ts';

export interface ServiceChoice {
  readonly name: string | undefined;
  readonly port: string | undefined;
  readonly 'target-port': string | undefined;
  readonly protocol: string | undefined;
  readonly type: string | undefined;
  readonly selector: string | undefined;
  readonly labels: string | undefined;
  readonly 'load-balancer-ip': string | undefined;
  readonly 'external-ip': string | undefined;
  readonly 'session-affinity': string | undefined;
  readonly 'cluster-ip': string | undefined;
}

/** What a service is to lead to. */
export interface Target {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly exposed: Exposed;
}

const HEADLESS = 'None';
/** Names of services are no longer. */
const LONGEST_NAME = 63;

/** The service that leads to an object's pods, by flags and by what the object says. @throws CtlError */
export function serviceFor(target: Target, choice: ServiceChoice): ApiObject {
  const { name, labels: given = '', type = '' } = choice;
  const labels = given === '' ? target.labels : parseLabels(given);
  const some = (field: string, value = ''): JsonObject => (value === '' ? {} : { [field]: value });
  const ports = servicePorts(target.exposed, choice);
  const external = choice['external-ip'] ?? '';
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: name || target.name.slice(0, LONGEST_NAME),
      ...(labels === undefined || Object.keys(labels).length === 0 ? {} : { labels: { ...labels } }),
    },
    spec: {
      ...(ports.length === 0 ? {} : { ports }),
      selector: selectorFor(target.exposed, choice),
      ...(external === '' ? {} : { externalIPs: [external] }),
      ...some('type', type),
      ...(type === 'LoadBalancer' ? some('loadBalancerIP', choice['load-balancer-ip']) : {}),
      ...some('sessionAffinity', choice['session-affinity']),
      ...some('clusterIP', choice['cluster-ip']),
    },
    status: { loadBalancer: {} },
  };
}

function selectorFor({ labels, why }: Exposed, { selector = '' }: ServiceChoice): Record<string, string> {
  if (selector !== '') return parseLabels(selector);
  if (labels !== undefined) return { ...labels };
  throw new CtlError(`couldn't retrieve selectors via --selector flag or introspection: ${why}`, {
    hint: 'Say with --selector which labels the pods have.',
  });
}

function servicePorts({ protocols }: Exposed, choice: ServiceChoice): JsonObject[] {
  const { port = '', protocol = '' } = choice;
  const numbers = port === '' ? [...protocols.keys()] : port.split(',').map(portNumber);
  if (numbers.length === 0 && choice['cluster-ip'] !== HEADLESS) {
    throw new CtlError("couldn't find port via --port flag or introspection", {
      hint: 'Say with --port which port the service has.',
    });
  }
  return numbers.flatMap((number, i) => {
    const found = protocol === '' ? (protocols.get(number) ?? ['TCP']) : [protocol];
    const name = numbers.length > 1 ? `port-${i + 1}` : '';
    return found.map((one): JsonObject => {
      const own = found.length > 1 ? `port-${i + 1}-${one.toLowerCase()}` : name;
      return {
        ...(own === '' ? {} : { name: own }),
        port: number,
        protocol: one,
        targetPort: targetPort(choice['target-port']) ?? number,
      };
    });
  });
}

function targetPort(text = ''): number | string | undefined {
  if (text === '') return undefined;
  return /^\d+$/.test(text) ? portNumber(text) : text;
}
