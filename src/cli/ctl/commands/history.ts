import { defineCommand } from '../command.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';

export const history = defineCommand({
  usage: '(TYPE/NAME | TYPE NAME) [flags]',
  description:
    'Show the versions of an object that the store still has, the newest first: who wrote each, when, and what it changed. How far back that goes is up to the server: --history of orchd, or the compaction of etcd.',
  examples: `
    # What happened to a deployment
    orchctl history deployment/web
    # In full
    orchctl history deployment/web --diff
    # What it was like at a revision
    orchctl history deployment/web --at 1042`,
  arguments: 'resources',
  flags: {
    ...OUTPUT_FLAGS,
    at: { type: 'text', help: 'Show the object as it was at this revision; any will do.' },
    limit: { type: 'number', default: 50, help: 'How many versions to look up; 0 for all.' },
    diff: {
      type: 'switch',
      short: 'p',
      help: 'Show whole differences, made by diff or KUBECTL_EXTERNAL_DIFF.',
    },
  },
  async run({ context, flags, args }) {
    const { showHistory } = await import('../history/show-history.ts');
    await showHistory(context, flags, args);
  },
});
