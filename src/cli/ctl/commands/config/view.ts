import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { Kubeconfig } from '../../kubeconfig/kubeconfig.ts';
import { viewKubeconfig } from '../../kubeconfig/view.ts';
import { choosePrinter, OUTPUT_FLAGS } from '../../print/output-flags.ts';

export const view = defineCommand({
  usage: '[flags]',
  description:
    'Show the configuration that the files make together. Secrets are left out unless --raw or --flatten asks for them.',
  examples: `
    orchctl config view
    # What the current context needs, in one file to hand on
    orchctl config view --minify --flatten`,
  flags: {
    ...OUTPUT_FLAGS,
    raw: { type: 'switch', help: 'Show secrets and certificates.' },
    flatten: { type: 'switch', help: 'Put what files hold in place of their names.' },
    minify: { type: 'switch', help: 'Only what the current context needs.' },
    merge: { type: 'switch', default: true, hidden: true, help: 'All files together.' },
  },
  async run({ context, flags, args }) {
    if (args.length > 0) throw new UsageError(`unexpected arguments: [${args.join(' ')}]`);
    const config = await Kubeconfig.load(context);
    const shown = await viewKubeconfig(config, { ...flags, context: context.globals.context });
    if (flags.output === 'json') {
      await context.stdout.write(`${JSON.stringify(shown, undefined, 4)}\n`);
      return;
    }
    const printer = await choosePrinter({ ...flags, output: flags.output ?? 'yaml' }, { cwd: context.cwd });
    await context.stdout.write(printer?.print(shown) ?? '');
  },
});
