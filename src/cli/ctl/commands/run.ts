import { defineCommand } from '../command.ts';
import { OVERRIDE_FLAGS } from '../create/overrides.ts';
import { UsageError } from '../errors.ts';
import { CREATE_FLAGS } from '../objects/create-object.ts';

export const run = defineCommand({
  usage: 'NAME --image=IMAGE [--port=PORT] [--env=NAME=VALUE] [--command] [flags] [-- WORD ...]',
  description:
    'Run an image as a pod. What stands behind -- are the arguments of its container, or with --command its command.',
  examples: `
    orchctl run web --image=nginx:1 --port=80 --expose
    # Once, with variables
    orchctl run task --image=busybox --restart=Never --env=MODE=fast -- echo done
    # See what would be made
    orchctl run web --image=nginx:1 --dry-run=client -o yaml`,
  flags: {
    ...CREATE_FLAGS,
    ...OVERRIDE_FLAGS,
    'field-manager': { type: 'text', default: 'orchctl-run', help: 'Who is to own the fields.' },
    image: { type: 'text', help: 'The image.' },
    'image-pull-policy': {
      type: 'text',
      choices: ['', 'Always', 'IfNotPresent', 'Never'],
      help: 'When the image is pulled: Always, IfNotPresent or Never; by default the server decides.',
    },
    port: { type: 'text', help: 'The port that the container serves.' },
    env: { type: 'list', help: 'A variable NAME=VALUE of the container; can be repeated.' },
    labels: {
      type: 'text',
      short: 'l',
      help: "Labels of the pod: 'app=web,tier=front'; run=NAME by default.",
    },
    annotations: { type: 'list', help: 'An annotation KEY=VALUE of the pod; can be repeated.' },
    restart: {
      type: 'text',
      default: 'Always',
      choices: ['Always', 'OnFailure', 'Never'],
      help: 'When the container is started again: Always, OnFailure or Never.',
    },
    command: { type: 'switch', help: 'What stands behind -- is the command, not its arguments.' },
    expose: { type: 'switch', help: 'Make a service, too, that leads to the pod; it needs --port.' },
    privileged: { type: 'switch', help: 'Run the container with the rights of its node.' },
  },
  async run({ context, flags, args, rest }) {
    const [name, ...words] = args;
    if (name === undefined) throw new UsageError('NAME is required for run');
    if (flags.expose && (flags.port ?? '') === '')
      throw new UsageError('--port must be set when exposing a service');
    const [{ podToRun, serviceToRun }, { withOverrides }, { createObject }] = await Promise.all([
      import('../create/run-pod.ts'),
      import('../create/overrides.ts'),
      import('../objects/create-object.ts'),
    ]);
    const pod = withOverrides(podToRun(name, flags, [...words, ...rest]), flags);
    if (flags.expose)
      await createObject(context, flags, { object: serviceToRun(name, flags), inNamespace: true });
    await createObject(context, flags, { object: pod, inNamespace: true });
  },
});
