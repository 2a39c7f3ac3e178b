import { defineCommand } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { Kubeconfig } from '../../kubeconfig/kubeconfig.ts';
import { exactly } from './arguments.ts';

export const currentContext = defineCommand({
  usage: '',
  description: 'Show the name of the current context.',
  flags: {},
  async run({ context }) {
    const { currentContext: name } = await Kubeconfig.load(context);
    if (name === '') {
      throw new CtlError('current-context is not set', { hint: 'orchctl config use-context NAME sets it.' });
    }
    await context.stdout.write(`${name}\n`);
  },
});

export const useContext = defineCommand({
  usage: 'NAME',
  description: 'Make a context the current one.',
  arguments: 'contexts',
  flags: {},
  async run({ context, args }) {
    const [name] = exactly(args, 1);
    const config = await Kubeconfig.load(context);
    if (name === '') throw new CtlError('empty context names are not allowed');
    if (config.entry('contexts', name) === undefined) {
      throw new CtlError(`no context exists with the name: ${JSON.stringify(name)}`, {
        hint: 'orchctl config get-contexts lists those that there are.',
      });
    }
    config.currentContext = name;
    await config.save();
    await context.stdout.write(`Switched to context ${JSON.stringify(name)}.\n`);
  },
});

export const renameContext = defineCommand({
  usage: 'NAME NEW_NAME',
  description: 'Give a context another name; the current one stays current.',
  arguments: 'contexts',
  flags: {},
  async run({ context, args }) {
    const [from, to] = exactly(args, 2) as [string, string];
    if (to === '') throw new CtlError('You must specify a new non-empty context name');
    const config = await Kubeconfig.load(context);
    const { name: path } = config.target;
    const entry = config.entry('contexts', from);
    if (entry === undefined) {
      throw new CtlError(`cannot rename the context ${JSON.stringify(from)}, it's not in ${path}`);
    }
    if (config.entry('contexts', to) !== undefined) {
      throw new CtlError(
        `cannot rename the context ${JSON.stringify(from)}, the context ${JSON.stringify(to)} already exists in ${path}`,
      );
    }
    const wasCurrent = config.currentContext === from;
    config.remove('contexts', from);
    config.change('contexts', to, entry.value);
    if (wasCurrent) config.currentContext = to;
    await config.save();
    await context.stdout.write(`Context ${JSON.stringify(from)} renamed to ${JSON.stringify(to)}.\n`);
  },
});

export const setContext = defineCommand({
  usage: '[NAME | --current] [--cluster=NAME] [--user=NAME] [--namespace=NAME]',
  description: 'Make or change a context.',
  examples: `
    # Work in another namespace from now on
    orchctl config set-context --current --namespace=shop`,
  arguments: 'contexts',
  flags: {
    current: { type: 'switch', help: 'Change the current context.' },
    cluster: { type: 'text', completes: 'clusters', help: 'The cluster of the context.' },
    user: { type: 'text', completes: 'users', help: 'The user of the context.' },
    namespace: { type: 'text', short: 'n', completes: 'namespaces', help: 'The namespace of the context.' },
  },
  async run({ context, flags, given, args }) {
    if (args.length > 1) throw new CtlError(`Unexpected args: [${args.join(' ')}]`);
    const [named = ''] = args;
    if (named === '' && !flags.current)
      throw new CtlError('you must specify a non-empty context name or --current');
    if (named !== '' && flags.current)
      throw new CtlError('you cannot specify both a context name and --current');
    const config = await Kubeconfig.load(context);
    const name = flags.current ? config.currentContext : named;
    if (name === '') throw new CtlError('no current context is set');
    const existed = config.entry('contexts', name) !== undefined;
    const fields: Record<string, string | undefined> = existed ? {} : { cluster: '', user: '' };
    for (const field of ['cluster', 'user'] as const) if (given.has(field)) fields[field] = flags[field];
    if (given.has('namespace')) fields['namespace'] = flags.namespace || undefined;
    config.change('contexts', name, fields);
    await config.save();
    await context.stdout.write(`Context ${JSON.stringify(name)} ${existed ? 'modified' : 'created'}.\n`);
  },
});
