import { defineCommand } from '../command.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { MANIFEST_FLAGS, WRITE_FLAGS } from '../write/flags.ts';

export const edit = defineCommand({
  usage: '(TYPE/NAME ... | TYPE NAME ... | -f FILENAME) [flags]',
  description:
    'Change objects in an editor: that of KUBE_EDITOR, EDITOR, or vi. What is refused comes back into the editor with the reason. Only the fields that were changed are written, and only where nobody else has changed them meanwhile.',
  examples: `
    # A deployment, as YAML
    orchctl edit deployment/web
    # In another editor, as JSON
    KUBE_EDITOR='code --wait' orchctl edit configmap settings -o json
    # Its status
    orchctl edit deployment/web --subresource=status`,
  arguments: 'resources',
  flags: {
    ...MANIFEST_FLAGS,
    ...WRITE_FLAGS,
    output: {
      ...OUTPUT_FLAGS.output,
      help: 'The form to edit: yaml or json.',
      choices: ['yaml', 'json'],
      default: 'yaml',
    },
    'field-manager': { type: 'text', default: 'orchctl-edit', help: 'Who is to own the changed fields.' },
    'output-patch': { type: 'switch', help: 'Show the patch that is sent.' },
    subresource: { type: 'text', help: 'Edit this subresource: status or scale.' },
    'show-managed-fields': { type: 'switch', hidden: true, help: 'Who owns fields is nothing to edit.' },
  },
  async run({ context, flags, args }) {
    const { runEdit } = await import('../edit/run-edit.ts');
    await runEdit(context, flags, args);
  },
});
