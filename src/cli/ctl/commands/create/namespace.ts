import { defineCommand } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const namespace = defineCommand({
  usage: 'NAME',
  description: 'Create a namespace.',
  flags: CREATE_FLAGS,
  async run({ context, flags, args }) {
    const [name, more] = args;
    if (name === undefined || more !== undefined)
      throw new UsageError(`exactly one NAME is required, got ${args.length}`);
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
