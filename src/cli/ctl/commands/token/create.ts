import { formatTime } from '../../../../lib/rfc3339.ts';
import { resourcePath } from '../../api/resource.ts';
import { defineCommand } from '../../command.ts';
import { CtlError, isAlreadyExists, UsageError } from '../../errors.ts';
import { DRY_RUN_FLAG } from '../../objects/flags.ts';
import { formatToken, generateToken, parseToken } from '../../token/bootstrap-token.ts';
import { tokenPlace, tokenSecret, USAGES } from '../../token/token-secret.ts';

const DAY_MS = 86_400_000;
/** As kubeadm has it, whose roles new nodes then have. */
const DEFAULT_GROUP = 'system:bootstrappers:kubeadm:default-node-token';

export const create = defineCommand({
  usage: '[TOKEN]',
  description:
    'Create a bootstrap token, of the given text or made up, and write it out. Whoever has it may do what its groups may until it expires.',
  examples: `
    orchctl token create --ttl=2h --description='For the new rack'
    orchctl token create $(orchctl token generate) --groups=system:bootstrappers:workers`,
  flags: {
    ...DRY_RUN_FLAG,
    ttl: { type: 'duration', default: DAY_MS, help: 'How long it is valid; 0 is without end.' },
    usages: {
      type: 'list',
      commas: true,
      help: `What it is for: ${USAGES.join(' and ')}, which is the default.`,
    },
    groups: {
      type: 'list',
      commas: true,
      help: `Groups that it authenticates into, besides that of all such tokens: system:bootstrappers:NAME; ${DEFAULT_GROUP} by default.`,
    },
    description: { type: 'text', default: '', help: 'What it is for, for people.' },
  },
  async run({ context, flags, given, args }) {
    const [text, more] = args;
    if (more !== undefined) throw new UsageError(`at most one TOKEN is expected, got ${args.length}`);
    if (flags.ttl < 0) throw new CtlError('--ttl must be greater than or equal to 0');
    const token = text === undefined ? generateToken() : parseToken(text);
    const usages = given.has('usages') ? [...new Set(flags.usages)] : USAGES;
    const groups = given.has('groups') ? flags.groups.filter((group) => group !== '') : [DEFAULT_GROUP];
    const expires = flags.ttl === 0 ? undefined : formatTime(Date.now() + flags.ttl);
    const defaulted = given.has('groups') || usages.includes('authentication') ? groups : [];
    const secret = tokenSecret(
      { token, usages, groups: defaulted, description: flags.description, expires },
      await context.names(),
    );
    if (flags['dry-run'] !== 'client') {
      const dryRun = flags['dry-run'] === 'server' ? 'All' : undefined;
      const path = resourcePath(await tokenPlace(context));
      const query = { dryRun, fieldManager: 'orchctl-token' };
      try {
        await (await context.api()).json({ method: 'POST', path, query, body: secret });
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        throw new CtlError(`a token with id ${JSON.stringify(token.id)} already exists`, {
          hint: `orchctl token delete ${token.id} takes it away.`,
          cause: error,
        });
      }
    }
    await context.stdout.write(`${formatToken(token)}\n`);
  },
});
