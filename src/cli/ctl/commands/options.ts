import { defineCommand } from '../command.ts';
import { GLOBAL_FLAGS } from '../flags/global.ts';
import { flagList } from '../help.ts';

export const options = defineCommand({
  usage: '',
  description: 'List the flags that all commands take.',
  flags: {},
  async run({ context }) {
    await context.stdout.write(`All commands take these flags:\n\n${flagList(GLOBAL_FLAGS)}`);
  },
});
