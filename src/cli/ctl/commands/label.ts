import { defineCommand } from '../command.ts';
import { METADATA_FLAGS } from '../objects/metadata-flags.ts';

export const label = defineCommand({
  usage: '(-f FILENAME | TYPE NAME | TYPE -l label) KEY=VALUE ... KEY- ...',
  description: 'Set labels of objects; KEY- removes one.',
  examples: `
    orchctl label pod x team=blue
    # Change it
    orchctl label pod x team=green --overwrite
    # Remove it from all pods
    orchctl label pods --all team-`,
  arguments: 'resources',
  flags: {
    ...METADATA_FLAGS,
    'field-manager': { type: 'text', default: 'orchctl-label', help: 'Who is to own the labels.' },
  },
  async run({ context, flags, args }) {
    const { changeMetadata } = await import('../objects/change-metadata.ts');
    await changeMetadata(context, { map: 'labels', choice: flags, args });
  },
});
