import { defineCommand } from '../../command.ts';
import { container, containerName, podTemplate } from '../../create/pods.ts';
import { requireFlags, requireName } from '../../create/name.ts';
import { CtlError } from '../../errors.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const deployment = defineCommand({
  usage: 'NAME --image=IMAGE [--replicas=COUNT] [--port=PORT] [-- COMMAND ...]',
  description: 'Create a deployment of pods that run one or several images.',
  examples: `
    orchctl create deployment web --image=nginx --replicas=3 --port=80
    orchctl create deployment clock --image=busybox -- sh -c 'while date; do sleep 1; done'`,
  flags: {
    ...CREATE_FLAGS,
    image: { type: 'list', commas: true, help: 'An image to run; can be repeated.' },
    port: { type: 'number', default: -1, help: 'The port that the first container opens.' },
    replicas: { type: 'number', short: 'r', default: 1, help: 'How many pods there are to be.' },
  },
  async run({ context, flags, args, rest }) {
    const name = requireName(args);
    requireFlags(flags, ['image']);
    const { image: images, port, replicas } = flags;
    if (images.length > 1 && rest.length > 0)
      throw new CtlError('cannot specify multiple --image options and command');
    const labels = { app: name };
    const containers = images.map((image, index) => {
      const opened = index === 0 && port >= 0 ? port : undefined;
      return container({ name: containerName(image), image, command: rest, port: opened });
    });
    await createObject(context, flags, {
      object: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name, labels },
        spec: {
          replicas,
          selector: { matchLabels: labels },
          strategy: {},
          template: podTemplate({ containers }, { labels }),
        },
        status: {},
      },
      inNamespace: true,
    });
  },
});
