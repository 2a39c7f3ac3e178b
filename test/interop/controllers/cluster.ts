import { Client, Informer, type AnyObject, type KubeObject } from '../../../src/client/index.ts';
import { runBeside } from '../chart-tools.ts';

/** What the steps of the scenario do things with. */
export interface Cluster {
  readonly client: Client;
  readonly nodes: readonly string[];
  /** Creates an object; the type says no more than that it is one. */
  create(object: AnyObject): Promise<unknown>;
  /** Runs a kubectl command. @returns what it printed. @throws Error with what it complained of. */
  kubectl(args: string): Promise<string>;
  /**
   * Resolves with a kind's objects as soon as they are as wanted: asked for what is there, and after every change.
   *
   * @throws Error with what there was instead, after three minutes
   */
  until<T extends KubeObject>(wanted: Wanted<T>): Promise<T[]>;
}

export interface Wanted<T> {
  readonly what: string;
  readonly of: readonly [apiVersion: string, kind: string];
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly holds: (objects: T[]) => boolean;
}

const WITHIN_MS = 180_000;

export interface ClusterOptions {
  readonly name: string;
  readonly kubeconfig: string;
  readonly kubectl: string;
  readonly nodes: readonly string[];
}

/** Connects as the user of a kubeconfig. */
export async function connectCluster(options: ClusterOptions): Promise<Cluster> {
  const { name, kubeconfig, kubectl, nodes } = options;
  const client = await Client.fromKubeconfig({ path: kubeconfig });
  return {
    client,
    nodes,
    create: (object) =>
      client.resource<AnyObject>(String(object.apiVersion), String(object.kind)).create(object),
    async kubectl(args) {
      const { PATH, HOME } = process.env;
      const words = [`--kubeconfig=${kubeconfig}`, ...args.split(' ')];
      const outcome = await runBeside(kubectl, words, { PATH, HOME }, WITHIN_MS);
      if (outcome.status === 0) return outcome.stdout;
      throw new Error(`${name}: kubectl ${args}: ${outcome.status} ${outcome.stderr}`);
    },
    until: (wanted) => until(name, client, wanted),
  };
}

async function until<T extends KubeObject>(
  name: string,
  client: Client,
  { what, of: [apiVersion, kind], namespace, labelSelector, holds }: Wanted<T>,
): Promise<T[]> {
  const all = client.resource<T>(apiVersion, kind);
  const resource = namespace === undefined ? all : all.namespace(namespace);
  const informer = new Informer<T>({ resource, ...(labelSelector !== undefined && { labelSelector }) });
  const { promise, resolve, reject } = Promise.withResolvers<T[]>();
  const current = (): T[] => [...informer.cache.values()];
  const look = (): void => {
    try {
      if (informer.hasSynced && holds(current())) resolve(current());
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const timer = setTimeout(() => {
    reject(new Error(`${name}: ${what}: not within ${WITHIN_MS / 1000} s: ${describe(current())}`));
  }, WITHIN_MS);
  informer.handle({ added: look, updated: look, deleted: look });
  informer.start().synced().then(look, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await informer.stop();
  }
}

function describe(objects: readonly KubeObject[]): string {
  const brief = objects.map((object) => ({
    ...object,
    metadata: { ...object.metadata, managedFields: undefined },
  }));
  return JSON.stringify(brief).slice(0, 4_000);
}
