import { resourcePath, type ApiResource } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, isNotFound } from '../errors.ts';
import { readObjects } from '../resources/read-objects.ts';
import { judgePod, type DrainRules, type Pod, type Verdict } from './pods.ts';

export interface PodChoice extends DrainRules {
  readonly 'pod-selector': string | undefined;
  readonly 'chunk-size': number;
}

export interface PodsOfNode {
  /** Those that are to go. */
  readonly going: readonly Pod[];
  /** What is odd about some that go or stay. */
  readonly warnings: string;
  /** What keeps the node from being drained. */
  readonly obstacles: readonly CtlError[];
}

/** Judges the pods of a node. @throws ServerError */
export async function podsOfNode(
  context: CommandContext,
  node: string,
  choice: PodChoice,
): Promise<PodsOfNode> {
  const [api, mapper] = [await context.api(), await context.resources()];
  const judging = {
    rules: choice,
    names: mapper.names,
    now: Date.now(),
    missingDaemonSet: async (namespace: string, name: string): Promise<string | undefined> => {
      const resource = mapper.forKind({ group: 'apps', kind: 'DaemonSet' });
      if (resource === undefined) return `the server has no daemon sets, and so not ${name}`;
      return messageIfMissing(() => api.json({ path: resourcePath({ resource, namespace, name }) }));
    },
  };
  const judged: (readonly [Pod, Verdict])[] = [];
  for await (const pod of readPods(context, mapper.find('pods'), { node, choice }))
    judged.push([pod, await judgePod(pod, judging)]);
  return {
    going: judged.filter(([, { fate }]) => fate === 'goes').map(([pod]) => pod),
    warnings: byMessage(judged.filter(([, { fate }]) => fate !== 'forbids'))
      .map(([message, pods]) => `${message}: ${pods}`)
      .join('; '),
    obstacles: byMessage(judged.filter(([, { fate }]) => fate === 'forbids')).map(
      ([message, pods]) => new CtlError(`cannot delete ${message}: ${pods}`),
    ),
  };
}

async function* readPods(
  context: CommandContext,
  resource: ApiResource,
  { node, choice }: { readonly node: string; readonly choice: PodChoice },
): AsyncGenerator<Pod> {
  const found = readObjects(
    { resource },
    {
      api: await context.api(),
      labelSelector: choice['pod-selector'],
      fieldSelector: `spec.nodeName=${node}`,
      chunkSize: choice['chunk-size'],
    },
  );
  for await (const { object } of found) yield object as unknown as Pod;
}

async function messageIfMissing(read: () => Promise<object>): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return error.message;
    throw error;
  }
}

/** The names of pods by what is told of them. */
function byMessage(judged: readonly (readonly [Pod, Verdict])[]): [string, string][] {
  const found = new Map<string, string[]>();
  for (const [{ metadata }, { message }] of judged) {
    if (message === undefined) continue;
    const name = `${metadata.namespace}/${metadata.name}`;
    found.set(message, [...(found.get(message) ?? []), name]);
  }
  return [...found].map(([message, names]) => [message, names.join(', ')]);
}
