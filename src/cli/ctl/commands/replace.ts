import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { MANIFEST_FLAGS, WRITE_FLAGS } from '../write/flags.ts';

export const replace = defineCommand({
  usage: '-f FILENAME [flags]',
  description:
    'Write objects as manifests have them, whole: what a manifest leaves out is gone. With metadata.resourceVersion, only what is of that version is replaced.',
  examples: `
    # What a file says
    orchctl replace -f web.yaml
    # Change and write back; refused when somebody else was faster
    orchctl get configmap settings -o yaml | sed 's/slow/fast/' | orchctl replace -f -
    # Delete and create again, for fields that can't be changed
    orchctl replace --force -f job.yaml`,
  arguments: 'files',
  flags: {
    ...MANIFEST_FLAGS,
    ...WRITE_FLAGS,
    ...OUTPUT_FLAGS,
    'field-manager': { type: 'text', default: 'orchctl-replace', help: 'Who is to own the fields.' },
    force: { type: 'switch', help: 'Delete the objects, wait until they are gone, and create them again.' },
    cascade: {
      type: 'text',
      bare: 'background',
      default: 'background',
      choices: ['background', 'foreground', 'orphan'],
      help: 'With --force, what happens to what the objects own.',
    },
    'grace-period': {
      type: 'number',
      default: -1,
      help: 'With --force, seconds that objects get to stop; below 0 their own.',
    },
    timeout: {
      type: 'duration',
      default: 300_000,
      help: 'With --force, how long to wait until objects are gone.',
    },
    subresource: { type: 'text', help: 'Replace this subresource: status or scale.' },
  },
  async run({ context, flags, args }) {
    if (args.length > 0) throw new UsageError(`Unexpected args: [${args.join(' ')}]`);
    const { replaceManifests } = await import('../write/replace-manifests.ts');
    await replaceManifests(context, flags);
  },
});
