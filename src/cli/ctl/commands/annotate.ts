import { defineCommand } from '../command.ts';
import { METADATA_FLAGS } from '../objects/metadata-flags.ts';

export const annotate = defineCommand({
  usage: '(-f FILENAME | TYPE NAME | TYPE -l label) KEY=VALUE ... KEY- ...',
  description: 'Set annotations of objects; KEY- removes one.',
  examples: `
    orchctl annotate deployment web note='from the shop team'
    orchctl annotate deployment web note-`,
  arguments: 'resources',
  flags: {
    ...METADATA_FLAGS,
    'field-manager': { type: 'text', default: 'orchctl-annotate', help: 'Who is to own the annotations.' },
  },
  async run({ context, flags, args }) {
    const { changeMetadata } = await import('../objects/change-metadata.ts');
    await changeMetadata(context, { map: 'annotations', choice: flags, args });
  },
});
