import type { JsonObject } from '../../../meta/object.ts';
import { resourcePath } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import type { DryRun } from '../write/flags.ts';
import { Report } from '../write/report.ts';
import type { Node } from './nodes.ts';
import { errorLine } from '../render-error.ts';

export interface CordonOptions {
  /** Whether new pods are to be kept away, or to be let in again. */
  readonly desired: boolean;
  readonly dryRun: DryRun;
}

/** Keeps new pods away from nodes, or lets them in again. What fails with one is told, and the others go on. */
export async function cordonNodes(
  context: CommandContext,
  nodes: readonly Node[],
  { desired, dryRun }: CordonOptions,
): Promise<void> {
  const report = new Report(context, undefined, dryRun);
  const word = desired ? 'cordon' : 'uncordon';
  const [api, resource] = [await context.api(), (await context.resources()).find('nodes')];
  for (const node of nodes) {
    const { name } = node.metadata;
    const already = (node.spec?.unschedulable === true) === desired;
    try {
      if (!already && dryRun !== 'client') {
        await api.json({
          method: 'PATCH',
          path: resourcePath({ resource, name }),
          query: { dryRun: dryRun === 'server' ? 'All' : undefined, fieldManager: `orchctl-${word}` },
          contentType: 'application/strategic-merge-patch+json',
          body: { spec: { unschedulable: desired ? true : null } },
        });
      }
    } catch (error) {
      context.signal.throwIfAborted();
      await context.stderr.write(`error: unable to ${word} node "${name}": ${errorLine(error)}\n`);
      continue;
    }
    await report.done(node as unknown as JsonObject, `${already ? 'already ' : ''}${word}ed`);
  }
}
