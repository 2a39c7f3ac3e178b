import { defineCommand } from '../../command.ts';
import { CtlError, throwCollected, UsageError } from '../../errors.ts';
import { errorLine } from '../../render-error.ts';
import { tokenId } from '../../token/bootstrap-token.ts';
import { tokenPath, tokenPlace } from '../../token/token-secret.ts';

export const remove = defineCommand({
  usage: '(ID | TOKEN) ...',
  description: 'Delete bootstrap tokens, by their ids or whole. What they were used for so far stays.',
  examples: `
    orchctl token delete abcdef`,
  flags: {},
  async run({ context, args }) {
    if (args.length === 0)
      throw new UsageError('missing argument; it is the id of a token, as orchctl token list shows it');
    // What can't be an id is told before anything is deleted.
    const ids = args.map(tokenId);
    const [api, place] = [await context.api(), await tokenPlace(context)];
    const errors: unknown[] = [];
    for (const id of ids) {
      try {
        await api.json({ method: 'DELETE', path: tokenPath(place, id) });
        await context.stdout.write(`bootstrap token ${JSON.stringify(id)} deleted\n`);
      } catch (error) {
        if (context.signal.aborted) throw error;
        const text = `failed to delete bootstrap token ${JSON.stringify(id)}: ${errorLine(error)}`;
        errors.push(new CtlError(text, { cause: error }));
      }
    }
    throwCollected(errors);
  },
});
