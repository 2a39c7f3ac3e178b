import { defineCommand, type Command } from '../../command.ts';
import { CtlError, throwCollected } from '../../errors.ts';
import type { Section } from '../../kubeconfig/files.ts';
import { Kubeconfig } from '../../kubeconfig/kubeconfig.ts';
import { ColumnWriter } from '../../print/columns.ts';

const HEADERS = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'];

export const getContexts = defineCommand({
  usage: '[NAME ...] [flags]',
  description: 'List the contexts, or those that are named.',
  arguments: 'contexts',
  flags: {
    output: { type: 'text', short: 'o', help: 'name, for the names alone.' },
    'no-headers': { type: 'switch', help: 'Leave the line of headers out.' },
  },
  async run({ context, flags, args }) {
    const { output = '' } = flags;
    if (output !== '' && output !== 'name') {
      throw new CtlError(`--output ${output} is not available in orchctl config get-contexts`);
    }
    const config = await Kubeconfig.load(context);
    const contexts = config.entries('contexts');
    const missing = args.filter((name) => !contexts.some((one) => one.name === name));
    const shown = contexts.filter(({ name }) => args.length === 0 || args.includes(name));
    const current = config.currentContext;
    const rows = shown.map(({ name, value }) => {
      const { cluster = '', user = '', namespace = '' } = value as Record<string, string | undefined>;
      return [name === current ? '*' : ' ', name, cluster, user, namespace];
    });
    const text =
      output === 'name'
        ? shown.map(({ name }) => `${name}\n`).join('')
        : new ColumnWriter().lines(flags['no-headers'] ? rows : [HEADERS, ...rows]);
    await context.stdout.write(text);
    throwCollected(missing.map((name) => new CtlError(`context ${name} not found`)));
  },
});

export const getClusters = namesCommand('clusters');
export const getUsers = namesCommand('users');

function namesCommand(section: Section): Command {
  return defineCommand({
    usage: '',
    description: `List the ${section} of the configuration.`,
    flags: {},
    async run({ context }) {
      const entries = (await Kubeconfig.load(context)).entries(section);
      await context.stdout.write(
        ['NAME', ...entries.map(({ name }) => name)].map((line) => `${line}\n`).join(''),
      );
    },
  });
}
