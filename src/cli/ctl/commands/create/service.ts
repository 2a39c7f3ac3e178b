import type { JsonObject } from '../../../../meta/object.ts';
import { dnsSubdomainProblems } from '../../../../meta/names.ts';
import { defineCommand, type CommandGroup } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { requireFlags, requireName } from '../../create/name.ts';
import { servicePort } from '../../create/ports.ts';
import { CtlError } from '../../errors.ts';
import { defineFlags } from '../../flags/flag.ts';
import { CREATE_FLAGS, createObject, type CreateChoice } from '../../objects/create-object.ts';

const SERVICE_FLAGS = defineFlags({
  ...CREATE_FLAGS,
  tcp: { type: 'list', commas: true, help: 'A port, as PORT[:TARGETPORT]; can be repeated.' },
});

interface ServiceChoice extends CreateChoice {
  readonly tcp: readonly string[];
}

interface ServiceSpec {
  readonly name: string;
  readonly spec: JsonObject;
  readonly nodePort?: number;
}

async function createService(
  context: CommandContext,
  choice: ServiceChoice,
  { name, spec, nodePort }: ServiceSpec,
): Promise<void> {
  const ports = choice.tcp.map((text) => servicePort(text, nodePort));
  const labels = { app: name };
  await createObject(context, choice, {
    object: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, labels },
      spec: { ...spec, ...(ports.length === 0 ? {} : { ports }), selector: labels },
      status: { loadBalancer: {} },
    },
    inNamespace: true,
  });
}

function requirePorts({ tcp }: ServiceChoice): void {
  if (tcp.length === 0) throw new CtlError('at least one tcp port specifier must be provided');
}

const clusterIp = defineCommand({
  usage: 'NAME (--tcp=PORT[:TARGETPORT] | --clusterip=None)',
  description: 'Create a service with an address inside the cluster, or without one.',
  examples: `
    orchctl create service clusterip web --tcp=80:8080
    orchctl create service clusterip db --clusterip=None`,
  flags: {
    ...SERVICE_FLAGS,
    clusterip: { type: 'text', default: '', help: 'The address; None for a service without.' },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const { clusterip: clusterIP } = flags;
    if (clusterIP !== 'None') requirePorts(flags);
    const address = clusterIP === '' ? {} : { clusterIP };
    await createService(context, flags, { name, spec: { type: 'ClusterIP', ...address } });
  },
});

const nodePort = defineCommand({
  usage: 'NAME --tcp=PORT[:TARGETPORT] [--node-port=PORT]',
  description: 'Create a service with a port on every node.',
  examples: `
    orchctl create service nodeport web --tcp=80:8080 --node-port=30080`,
  flags: {
    ...SERVICE_FLAGS,
    'node-port': { type: 'number', default: 0, help: 'The port of the nodes; 0 leaves it to the server.' },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    requirePorts(flags);
    await createService(context, flags, { name, spec: { type: 'NodePort' }, nodePort: flags['node-port'] });
  },
});

const loadBalancer = defineCommand({
  usage: 'NAME --tcp=PORT[:TARGETPORT]',
  description: 'Create a service with a load balancer.',
  examples: `
    orchctl create service loadbalancer web --tcp=80:8080`,
  flags: SERVICE_FLAGS,
  async run({ context, flags, args }) {
    const name = requireName(args);
    requirePorts(flags);
    await createService(context, flags, { name, spec: { type: 'LoadBalancer' } });
  },
});

const externalName = defineCommand({
  usage: 'NAME --external-name=HOST [--tcp=PORT[:TARGETPORT]]',
  description: 'Create a service that stands for a host elsewhere.',
  examples: `
    orchctl create service externalname db --external-name=db.example.com`,
  flags: { ...SERVICE_FLAGS, 'external-name': { type: 'text', help: 'The DNS name of the host.' } },
  async run({ context, flags, args }) {
    const name = requireName(args);
    requireFlags(flags, ['external-name']);
    const host = flags['external-name'] ?? '';
    if (dnsSubdomainProblems(host).length > 0) throw new CtlError(`invalid service external name ${host}`);
    await createService(context, flags, { name, spec: { type: 'ExternalName', externalName: host } });
  },
});

export const service: CommandGroup = {
  description: 'Create a service.',
  commands: [
    {
      name: 'clusterip',
      summary: 'Create a service with an address inside the cluster',
      load: () => Promise.resolve(clusterIp),
    },
    {
      name: 'nodeport',
      summary: 'Create a service with a port on every node',
      load: () => Promise.resolve(nodePort),
    },
    {
      name: 'loadbalancer',
      summary: 'Create a service with a load balancer',
      load: () => Promise.resolve(loadBalancer),
    },
    {
      name: 'externalname',
      summary: 'Create a service that stands for a host elsewhere',
      load: () => Promise.resolve(externalName),
    },
  ],
};
