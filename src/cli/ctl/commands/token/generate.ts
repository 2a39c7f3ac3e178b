import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { formatToken, generateToken } from '../../token/bootstrap-token.ts';

export const generate = defineCommand({
  usage: '',
  description: 'Make up a token that "orchctl token create" takes. No server is asked.',
  flags: {},
  async run({ context, args }) {
    if (args.length > 0) throw new UsageError(`no arguments are expected, got ${args.length}`);
    await context.stdout.write(`${formatToken(generateToken())}\n`);
  },
});
