import { defineCommand } from '../../command.ts';
import { requireName } from '../../create/name.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const serviceAccount = defineCommand({
  usage: 'NAME',
  description: 'Create a service account.',
  flags: CREATE_FLAGS,
  async run({ context, flags, args }) {
    await createObject(context, flags, {
      object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: requireName(args) } },
      inNamespace: true,
    });
  },
});
