import { formatGroupVersion } from '../../../../meta/object.ts';
import { defineCommand } from '../../command.ts';
import { requireName } from '../../create/name.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const priorityClass = defineCommand({
  usage: 'NAME --value=VALUE [--global-default] [--preemption-policy=POLICY] [--description=TEXT]',
  description: 'Create a priority class, by which pods are scheduled before others.',
  examples: `
    orchctl create priorityclass important --value=1000 --description='Shops'`,
  flags: {
    ...CREATE_FLAGS,
    value: { type: 'number', default: 0, help: 'The priority; the highest comes first.' },
    'global-default': { type: 'switch', help: 'Pods without a class have this one.' },
    description: { type: 'text', default: '', help: 'When to use it.' },
    'preemption-policy': {
      type: 'text',
      default: 'PreemptLowerPriority',
      help: 'Whether pods of lower priority make room: PreemptLowerPriority or Never.',
    },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const { value, description, 'global-default': globalDefault } = flags;
    const names = await context.names();
    await createObject(context, flags, {
      object: {
        apiVersion: formatGroupVersion(names.get('group.scheduling'), 'v1'),
        kind: 'PriorityClass',
        metadata: { name },
        value,
        ...(globalDefault ? { globalDefault } : {}),
        ...(description === '' ? {} : { description }),
        preemptionPolicy: flags['preemption-policy'],
      },
      inNamespace: false,
    });
  },
});
