import { defineFlags } from '../flags/flag.ts';
import { MANIFEST_FLAGS } from '../write/flags.ts';

/** How a command that changes objects is told which ones. */
export const CHOICE_FLAGS = defineFlags({
  ...MANIFEST_FLAGS,
  'field-selector': { type: 'text', help: "Only objects whose fields match: 'status.phase!=Running'." },
  all: { type: 'switch', help: 'All objects of the type in the namespace.' },
  'all-namespaces': { type: 'switch', short: 'A', help: 'Objects of all namespaces.' },
});

/** Whether something is stored. */
export const DRY_RUN_FLAG = defineFlags({
  'dry-run': {
    type: 'text',
    bare: 'client',
    default: 'none',
    choices: ['none', 'server', 'client'],
    help: 'none; client: send no change, show what it would be; server: let the server do all but store it.',
  },
});
