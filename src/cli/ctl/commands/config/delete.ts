import { defineCommand, type Command } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { SECTIONS, type Section } from '../../kubeconfig/files.ts';
import { Kubeconfig } from '../../kubeconfig/kubeconfig.ts';
import { exactly } from './arguments.ts';

export const deleteCluster = deleteCommand('clusters');
export const deleteContext = deleteCommand('contexts');
export const deleteUser = deleteCommand('users');

function deleteCommand(section: Section): Command {
  const kind = SECTIONS[section];
  return defineCommand({
    usage: 'NAME',
    description: `Delete a ${kind} from the configuration.`,
    arguments: section,
    flags: {},
    async run({ context, args }) {
      const [name] = exactly(args, 1);
      const config = await Kubeconfig.load(context);
      const wasCurrent = section === 'contexts' && config.currentContext === name;
      const path = config.remove(section, name);
      if (path === undefined)
        throw new CtlError(`cannot delete ${kind} ${name}, not in ${config.target.name}`);
      if (wasCurrent) {
        await context.stderr.write(
          'warning: this removed your active context, use "orchctl config use-context" to select a different one\n',
        );
      }
      await config.save();
      await context.stdout.write(`deleted ${kind} ${name} from ${path}\n`);
    },
  });
}
