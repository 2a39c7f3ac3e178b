import { defineCommand } from '../command.ts';
import { CtlError } from '../errors.ts';
import { SCRIPTS, type Shell } from '../completion/scripts.ts';

export const completion = defineCommand({
  usage: '(bash | zsh | fish)',
  description: 'Show a script that completes commands, flags, types and names of objects in a shell.',
  examples: `
    # In this shell
    source <(orchctl completion bash)
    # In every one
    orchctl completion bash > ~/.local/share/bash-completion/completions/orchctl
    orchctl completion zsh > "\${fpath[1]}/_orchctl"
    orchctl completion fish > ~/.config/fish/completions/orchctl.fish`,
  arguments: { oneOf: Object.keys(SCRIPTS) },
  flags: {},
  async run({ context, args }) {
    const [shell, more] = args;
    if (shell === undefined) throw new CtlError('Shell not specified.', { hint: 'It is bash, zsh or fish.' });
    if (more !== undefined) throw new CtlError('Too many arguments. Expected only the shell type.');
    if (!Object.hasOwn(SCRIPTS, shell)) {
      throw new CtlError(`Unsupported shell type ${JSON.stringify(shell)}.`, {
        hint: 'It is bash, zsh or fish.',
      });
    }
    await context.stdout.write(SCRIPTS[shell as Shell]);
  },
});
