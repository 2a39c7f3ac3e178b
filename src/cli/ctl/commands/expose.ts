import { defineCommand } from '../command.ts';
import { OVERRIDE_FLAGS } from '../create/overrides.ts';
import { CREATE_FLAGS } from '../objects/create-object.ts';
import { CHOICE_FLAGS } from '../objects/flags.ts';

const { filename, recursive, kustomize } = CHOICE_FLAGS;

export const expose = defineCommand({
  usage:
    '(-f FILENAME | TYPE NAME) [--port=PORT] [--target-port=NUMBER-OR-NAME] [--name=NAME] [--type=TYPE] [flags]',
  description:
    'Make a service that leads to the pods of an object: of a pod, deployment, replica set, replication controller or another service. What no flag says is taken from the object.',
  examples: `
    orchctl expose deployment web --port=80 --target-port=8080
    # Under a name, reachable from outside
    orchctl expose pod web-1 --name=front --type=NodePort
    # See what would be made
    orchctl expose deployment web --dry-run=client -o yaml`,
  arguments: 'resources',
  flags: {
    ...CREATE_FLAGS,
    ...OVERRIDE_FLAGS,
    filename,
    recursive,
    kustomize,
    'field-manager': { type: 'text', default: 'orchctl-expose', help: 'Who is to own the fields.' },
    name: { type: 'text', help: "The service's name; that of the object by default." },
    port: { type: 'text', help: 'The port of the service; by default those that the pods serve.' },
    'target-port': {
      type: 'text',
      help: "Number or name of the container's port; the same as --port by default.",
    },
    protocol: { type: 'text', help: 'TCP, UDP or SCTP; by default that of the port.' },
    type: { type: 'text', help: 'ClusterIP, NodePort, LoadBalancer or ExternalName; ClusterIP by default.' },
    selector: {
      type: 'text',
      help: "Labels of the pods: 'app=web'; by default those that the object names.",
    },
    labels: { type: 'text', short: 'l', help: 'Labels of the service; by default those of the object.' },
    'load-balancer-ip': { type: 'text', help: 'The address that a load balancer is to have.' },
    'external-ip': { type: 'text', help: 'A further address under which the service is reached.' },
    'session-affinity': {
      type: 'text',
      choices: ['', 'None', 'ClientIP'],
      help: 'Whether a client keeps to a pod: None or ClientIP.',
    },
    'cluster-ip': { type: 'text', help: "The service's own address, or None for a service without." },
  },
  async run({ context, flags, args }) {
    const [
      { chooseObjects, pathOf },
      { eachObject },
      { exposedBy },
      { serviceFor },
      { withOverrides },
      { createObject },
    ] = await Promise.all([
      import('../objects/choose.ts'),
      import('../objects/each.ts'),
      import('../create/exposed.ts'),
      import('../create/expose-service.ts'),
      import('../create/overrides.ts'),
      import('../objects/create-object.ts'),
    ]);
    const byName = { selector: undefined, 'field-selector': undefined, all: false, 'all-namespaces': false };
    const chosen = await chooseObjects(context, { ...flags, ...byName }, args);
    const api = await context.api();
    await eachObject(context, chosen, async (object) => {
      const read = await api.json({ path: pathOf(object) });
      const { labels } = (read['metadata'] ?? {}) as { labels?: Record<string, string> };
      const target = { name: object.name, labels, exposed: exposedBy(object.resource, read) };
      const service = withOverrides(serviceFor(target, flags), flags);
      await createObject(context, flags, { object: service, inNamespace: true, done: 'exposed' });
    });
  },
});
