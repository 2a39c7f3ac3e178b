import { defineCommand } from '../../command.ts';
import { requireName } from '../../create/name.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const namespace = defineCommand({
  usage: 'NAME',
  description: 'Create a namespace.',
  flags: CREATE_FLAGS,
  async run({ context, flags, args }) {
    const name = requireName(args);
    await createObject(context, flags, {
      object: {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
        spec: {},
        status: {},
      },
      inNamespace: false,
    });
  },
});
