import { defineCommand, type CommandGroup } from '../../command.ts';
import { requireName } from '../../create/name.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';
import { KEY_VALUE_FLAGS, readKeyValues } from '../../objects/key-values.ts';

const generic = defineCommand({
  usage: 'NAME [--type=TYPE] [--from-literal=KEY=VALUE] [--from-file=[KEY=]FILE] [--from-env-file=FILE]',
  description: 'Create a secret of values, files or folders.',
  examples: `
    orchctl create secret generic login --from-literal=user=me --from-file=password.txt`,
  flags: { ...CREATE_FLAGS, ...KEY_VALUE_FLAGS, type: { type: 'text', help: 'The type of the secret.' } },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const values = await readKeyValues(context.cwd, flags);
    const data = Object.fromEntries([...values].map(([key, value]) => [key, value.toString('base64')]));
    await createObject(context, flags, {
      object: {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name },
        ...(values.size === 0 ? {} : { data }),
        ...((flags.type ?? '') === '' ? {} : { type: flags.type }),
      },
      inNamespace: true,
    });
  },
});

export const secret: CommandGroup = {
  description: 'Create a secret.',
  commands: [
    {
      name: 'generic',
      summary: 'Create a secret of values, files or folders',
      load: () => Promise.resolve(generic),
    },
  ],
};
