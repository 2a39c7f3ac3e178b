import { defineCommand, type CommandGroup } from '../command.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { MANIFEST_FLAGS, WRITE_FLAGS } from '../write/flags.ts';

const fromManifests = defineCommand({
  usage: '-f FILENAME [flags]',
  description: 'Create objects as manifests have them.',
  examples: `
    # What a file says
    orchctl create -f web.yaml
    # From another program
    helm template web | orchctl create -f -`,
  arguments: 'files',
  flags: {
    ...MANIFEST_FLAGS,
    ...WRITE_FLAGS,
    ...OUTPUT_FLAGS,
    'field-manager': { type: 'text', default: 'orchctl-create', help: 'Who is to own the fields.' },
  },
  async run({ context, flags }) {
    const { createManifests } = await import('../write/create-manifests.ts');
    await createManifests(context, flags);
  },
});

/** Each of its commands makes an object of one kind. */
export const create: CommandGroup = {
  description: 'Create objects of manifests, or of flags for the common kinds.',
  own: fromManifests,
  commands: [],
};
