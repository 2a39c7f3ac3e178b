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
  commands: [
    {
      name: 'configmap',
      aliases: ['cm'],
      summary: 'Create a config map of values or files',
      load: async () => (await import('./create/configmap.ts')).configMap,
    },
    {
      name: 'namespace',
      aliases: ['ns'],
      summary: 'Create a namespace',
      load: async () => (await import('./create/namespace.ts')).namespace,
    },
    {
      name: 'secret',
      summary: 'Create a secret',
      load: async () => (await import('./create/secret.ts')).secret,
    },
  ],
};
