import { defineCommand } from '../command.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { WRITE_FLAGS } from '../write/flags.ts';

export const undo = defineCommand({
  usage: '(TYPE/NAME | TYPE NAME) [--to REVISION] [flags]',
  description:
    'Write an object back as it was at a revision, by an ordinary update of the version that is there now; it is refused when somebody is faster. An object that is gone is created again.',
  examples: `
    # As it was before the last change
    orchctl undo configmap/settings
    # As it was at a revision that orchctl history shows
    orchctl undo deployment/web --to 1042
    # Whether that would be accepted
    orchctl undo deployment/web --to 1042 --dry-run=server`,
  arguments: 'resources',
  flags: {
    ...WRITE_FLAGS,
    ...OUTPUT_FLAGS,
    to: { type: 'text', help: 'The revision; by default the one before the present version.' },
    'field-manager': { type: 'text', default: 'orchctl-undo', help: 'Who is to own the fields that change.' },
  },
  async run({ context, flags, args }) {
    const { undo: run } = await import('../history/undo.ts');
    await run(context, flags, args);
  },
});
