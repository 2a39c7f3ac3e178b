import { defineFlags } from '../flags/flag.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { CHOICE_FLAGS, DRY_RUN_FLAG } from './flags.ts';

/** What `label` and `annotate` take. */
export const METADATA_FLAGS = defineFlags({
  ...CHOICE_FLAGS,
  ...DRY_RUN_FLAG,
  ...OUTPUT_FLAGS,
  list: { type: 'switch', help: 'Show what there is.' },
  overwrite: { type: 'switch', help: 'Change what has another value.' },
  'resource-version': { type: 'text', help: 'Change the object only while it has this version.' },
});
