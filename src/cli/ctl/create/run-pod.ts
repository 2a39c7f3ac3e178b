import type { ApiObject, JsonObject } from '../../../meta/object.ts';
import { CtlError, UsageError } from '../errors.ts';
import { isImageReference } from './image-reference.ts';
import { keyValues } from './key-values.ts';
import { parseLabels } from './labels.ts';

export interface PodChoice {
  readonly image: string | undefined;
  readonly 'image-pull-policy': string | undefined;
  readonly port: string | undefined;
  readonly env: readonly string[];
  readonly labels: string | undefined;
  readonly annotations: readonly string[];
  readonly restart: string;
  readonly command: boolean;
  readonly privileged: boolean;
}

const VARIABLE = /^[-._A-Za-z][-._A-Za-z0-9]*$/;

/** The pod that flags describe. @param words of the container. @throws CtlError for flags that make no sense. */
export function podToRun(name: string, choice: PodChoice, words: readonly string[]): ApiObject {
  const { image = '', annotations } = choice;
  if (image === '') throw new UsageError('--image is required');
  if (!isImageReference(image))
    throw new CtlError(`Invalid image name ${JSON.stringify(image)}: invalid reference format`);
  const pairs = keyValues(annotations, (text) => `unexpected annotations spec: ${text}`);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: labelsOf(name, choice.labels),
      ...(annotations.length === 0 ? {} : { annotations: pairs }),
    },
    spec: {
      containers: [container(name, choice, words)],
      dnsPolicy: 'ClusterFirst',
      restartPolicy: choice.restart,
    },
    status: {},
  };
}

/** The service that leads to such a pod. */
export function serviceToRun(name: string, { labels, port = '' }: PodChoice): ApiObject {
  const number = portNumber(port);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, ...(labels === undefined ? {} : { labels: parseLabels(labels) }) },
    spec: {
      ports: [{ port: number, protocol: 'TCP', targetPort: number }],
      selector: labelsOf(name, labels),
    },
    status: { loadBalancer: {} },
  };
}

function labelsOf(name: string, labels = ''): Record<string, string> {
  return labels === '' ? { run: name } : parseLabels(labels);
}

function container(name: string, choice: PodChoice, words: readonly string[]): JsonObject {
  const { port = '', env, 'image-pull-policy': policy = '' } = choice;
  return {
    name,
    image: choice.image,
    ...(words.length === 0 ? {} : { [choice.command ? 'command' : 'args']: [...words] }),
    ...(env.length === 0 ? {} : { env: env.map(variable) }),
    ...(policy === '' ? {} : { imagePullPolicy: policy }),
    ...(port === '' ? {} : { ports: [{ containerPort: portNumber(port) }] }),
    ...(choice.privileged ? { securityContext: { privileged: true } } : {}),
    resources: {},
  };
}

function variable(text: string): JsonObject {
  const equals = text.indexOf('=');
  const [name, value] = [text.slice(0, Math.max(equals, 0)), text.slice(equals + 1)];
  if (!VARIABLE.test(name))
    throw new CtlError(`invalid env: ${text}`, { hint: 'Variables are written NAME=VALUE.' });
  return { name, ...(value === '' ? {} : { value }) };
}

/** @throws CtlError for a text that is no port. */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new CtlError(`invalid port ${JSON.stringify(text)}: it is a number from 0 to 65535`);
}
