import type { JsonObject } from '../../../meta/object.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, SeveralErrors, throwCollected } from '../errors.ts';
import { errorLine } from '../render-error.ts';
import { readObjects } from '../resources/read-objects.ts';
import type { DryRun } from '../write/flags.ts';
import { Report } from '../write/report.ts';
import { cordonNodes } from './cordon.ts';
import { deletePods, EvictionsMissing, evictPods, type RemovalOptions } from './evict-pods.ts';
import { chooseNodes, type Node, type NodeChoice } from './nodes.ts';
import { PodsGone } from './pods-gone.ts';
import { podsOfNode, type PodChoice } from './pods-of-node.ts';
import { isLeftBehind, type Pod } from './pods.ts';

export interface DrainChoice extends NodeChoice, PodChoice {
  readonly 'grace-period': number;
  readonly timeout: number;
  readonly 'disable-eviction': boolean;
}

/** Keeps new pods away from nodes and sends theirs away. @throws what kept some nodes from being drained. */
export async function drainNodes(
  context: CommandContext,
  choice: DrainChoice,
  args: readonly string[],
): Promise<void> {
  const nodes = await chooseNodes(context, choice, args);
  const dryRun = choice['dry-run'] as DryRun;
  await cordonNodes(context, nodes, { desired: true, dryRun });
  const report = new Report(context, undefined, dryRun);
  const failures = new Map<string, unknown>();
  for (const node of nodes) {
    const { name } = node.metadata;
    try {
      await drain(context, node, { choice, report });
      await report.done(node as unknown as JsonObject, 'drained');
    } catch (error) {
      context.signal.throwIfAborted();
      failures.set(name, error);
      await context.stderr.write(
        `error: unable to drain node "${name}" due to error: ${listText(error)}, continuing command...\n`,
      );
    }
  }
  if (failures.size > 0) {
    const pending = [...failures.keys()].map((name) => ` ${name}\n`).join('');
    await context.stderr.write(`There are pending nodes to be drained:\n${pending}`);
  }
  throwCollected([...failures.values()].flatMap(errorsOf));
}

interface DrainOptions {
  readonly choice: DrainChoice;
  readonly report: Report;
}

async function drain(context: CommandContext, node: Node, options: DrainOptions): Promise<void> {
  const { stdout, stderr } = context;
  const { choice } = options;
  const { name } = node.metadata;
  const { going, warnings, obstacles } = await podsOfNode(context, name, choice);
  throwCollected(obstacles);
  if (warnings !== '') await stderr.write(`Warning: ${warnings}\n`);
  if (choice['dry-run'] === 'client') {
    for (const { metadata } of going)
      await stdout.write(`evicting pod ${metadata.namespace}/${metadata.name} (dry run)\n`);
    return;
  }
  if (going.length === 0) return;
  try {
    await remove(context, node, { ...options, going });
  } catch (error) {
    context.signal.throwIfAborted();
    const left = (await podsOfNode(context, name, choice)).going.map(
      ({ metadata }) => `pod/${metadata.name}\n`,
    );
    if (left.length > 0)
      await stderr.write(
        `There are pending pods in node "${name}" when an error occurred: ${listText(error)}\n${left.join('')}`,
      );
    throw error;
  }
}

async function remove(
  context: CommandContext,
  node: Node,
  { choice, report, going }: DrainOptions & { readonly going: readonly Pod[] },
): Promise<void> {
  const { stdout, stderr } = context;
  const [api, pods] = [await context.api(), (await context.resources()).find('pods')];
  const { timeout, 'grace-period': grace, 'chunk-size': chunkSize } = choice;
  const limit = timeout > 0 ? [AbortSignal.timeout(timeout)] : [];
  const signal = AbortSignal.any([context.signal, ...limit]);
  const read = async (): Promise<Pod[]> => {
    const fieldSelector = `spec.nodeName=${node.metadata.name}`;
    const found: Pod[] = [];
    for await (const { object } of readObjects({ resource: pods }, { api, fieldSelector, chunkSize }))
      found.push(object as unknown as Pod);
    return found;
  };
  const options: RemovalOptions = {
    ...{ api, pods, stdout, stderr, grace, timeout, signal },
    dryRun: choice['dry-run'] as DryRun,
    gone: new PodsGone({ read, signal, givesUp: (pod) => isLeftBehind(pod, choice, Date.now()) }),
    report: async (pod, operation, departure) => {
      const seconds = choice['skip-wait-for-delete-timeout'];
      if (departure === 'gone')
        await report.done(
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: pod.metadata.name } },
          operation,
        );
      else
        await stdout.write(
          `pod "${pod.metadata.name}" has DeletionTimestamp older than ${seconds} seconds, skipping\n`,
        );
    },
  };
  const evicts = !choice['disable-eviction'] && pods.subresources.includes('eviction');
  try {
    await (evicts ? evictOrDelete : deletePods)(going, options);
  } catch (error) {
    if (!signal.aborted || context.signal.aborted || error instanceof CtlError) throw error;
    throw new CtlError('timed out waiting for the pods to go', { cause: error });
  }
}

async function evictOrDelete(pods: readonly Pod[], options: RemovalOptions): Promise<void> {
  try {
    await evictPods(pods, options);
  } catch (error) {
    if (!(error instanceof EvictionsMissing)) throw error;
    await options.stderr.write(
      `Warning: ${error.message}; they are deleted, whatever budgets of disruptions say\n`,
    );
    await deletePods(pods, options);
  }
}

function errorsOf(error: unknown): readonly unknown[] {
  return error instanceof SeveralErrors ? error.errors : [error];
}

function listText(error: unknown): string {
  const texts = errorsOf(error).map(errorLine);
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
