import { defineCommand } from '../command.ts';
import { NODE_FLAGS } from '../drain/nodes.ts';
import { DEFAULT_CHUNK_SIZE } from '../resources/read-objects.ts';

export const drain = defineCommand({
  usage: '(NODE ... | -l label)',
  description:
    'Prepare nodes for maintenance: keep new pods away, and evict those that are there, as budgets of disruptions allow. Pods that belong to the node itself stay; nothing is done where pods would be lost, unless flags say so.',
  examples: `
    # Pods of daemon sets stay
    orchctl drain worker-1 --ignore-daemonsets
    # Pods without controller go as well, and what they have in emptyDirs
    orchctl drain worker-1 --ignore-daemonsets --force --delete-emptydir-data
    # What would be done
    orchctl drain worker-1 --ignore-daemonsets --dry-run=client`,
  arguments: { objectsOf: 'nodes' },
  flags: {
    ...NODE_FLAGS,
    force: { type: 'switch', help: 'Go on where pods have no controller that makes them anew.' },
    'ignore-daemonsets': { type: 'switch', help: 'Leave pods of daemon sets where they are.' },
    'delete-emptydir-data': {
      type: 'switch',
      help: 'Go on where pods have data in emptyDirs, which is lost with them.',
    },
    'grace-period': {
      type: 'number',
      default: -1,
      help: 'Seconds that pods get to stop; below 0 their own.',
    },
    timeout: { type: 'duration', default: 0, help: 'How long to try and wait; 0 is without end.' },
    'pod-selector': { type: 'text', help: 'Only pods whose labels match.' },
    'disable-eviction': {
      type: 'switch',
      help: 'Delete pods instead of evicting them, whatever budgets of disruptions say.',
    },
    'skip-wait-for-delete-timeout': {
      type: 'number',
      default: 0,
      help: 'Seconds after which nobody waits any more for pods that were told to go; 0 waits for all.',
    },
    'chunk-size': {
      type: 'number',
      default: DEFAULT_CHUNK_SIZE,
      help: 'How many objects to ask for at once; 0 for all.',
    },
  },
  async run({ context, flags, args }) {
    const { drainNodes } = await import('../drain/drain-nodes.ts');
    await drainNodes(context, flags, args);
  },
});
