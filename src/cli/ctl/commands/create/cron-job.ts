import { defineCommand } from '../../command.ts';
import { requireFlags, requireName } from '../../create/name.ts';
import { container, podTemplate } from '../../create/pods.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const cronJob = defineCommand({
  usage: "NAME --image=IMAGE --schedule='MINUTE HOUR DAY MONTH WEEKDAY' [-- COMMAND ...]",
  description: 'Create a cron job that runs an image again and again.',
  examples: `
    orchctl create cronjob backup --image=tools --schedule='0 3 * * *' -- backup`,
  flags: {
    ...CREATE_FLAGS,
    image: { type: 'text', help: 'The image to run.' },
    schedule: { type: 'text', help: "When: '*/5 * * * *' is every five minutes." },
    restart: {
      type: 'text',
      default: '',
      help: 'When a pod is started again: OnFailure (the default) or Never.',
    },
  },
  async run({ context, flags, args, rest }) {
    const name = requireName(args);
    requireFlags(flags, ['image', 'schedule']);
    const { image = '', schedule = '', restart } = flags;
    const containers = [container({ name, image, command: rest })];
    const restartPolicy = restart === '' ? 'OnFailure' : restart;
    await createObject(context, flags, {
      object: {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name },
        spec: {
          jobTemplate: {
            metadata: { creationTimestamp: null, name },
            spec: { template: podTemplate({ containers, restartPolicy }) },
          },
          schedule,
        },
        status: {},
      },
      inNamespace: true,
    });
  },
});
