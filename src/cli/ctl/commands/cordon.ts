import { defineCommand, type Command } from '../command.ts';
import { chooseNodes, NODE_FLAGS } from '../drain/nodes.ts';
import type { DryRun } from '../write/flags.ts';

export const cordon = cordonCommand(true, {
  description: 'Keep new pods away from nodes. Those that are there stay.',
  examples: `
    orchctl cordon worker-1
    orchctl cordon -l zone=a`,
});

export const uncordon = cordonCommand(false, {
  description: 'Let new pods onto nodes again.',
  examples: `
    orchctl uncordon worker-1`,
});

function cordonCommand(desired: boolean, texts: Pick<Command, 'description' | 'examples'>): Command {
  return defineCommand({
    usage: '(NODE ... | -l label)',
    ...texts,
    arguments: { objectsOf: 'nodes' },
    flags: NODE_FLAGS,
    async run({ context, flags, args }) {
      const { cordonNodes } = await import('../drain/cordon.ts');
      const nodes = await chooseNodes(context, flags, args);
      await cordonNodes(context, nodes, { desired, dryRun: flags['dry-run'] as DryRun });
    },
  });
}
