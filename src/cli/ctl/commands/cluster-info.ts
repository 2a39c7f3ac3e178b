import type { JsonObject } from '../../../meta/object.ts';
import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { readObjects } from '../resources/read-objects.ts';

interface Service {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
  readonly status?: {
    readonly loadBalancer?: {
      readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
    };
  };
}

export const clusterInfo = defineCommand({
  usage: '[flags]',
  description: 'Show where the control plane is, and the services that belong to it.',
  flags: {},
  async run({ context, args }) {
    if (args.length > 0) throw new UsageError(`unexpected arguments: [${args.join(' ')}]`);
    const [api, mapper] = [await context.api(), await context.resources()];
    const { names } = mapper;
    const system = names.get('namespace.system');
    const lines = [`Kubernetes control plane is running at ${api.server}\n`];
    const services = mapper.lookUp('services');
    if (services !== undefined) {
      const labelSelector = `${names.get('label.cluster-service')}=true`;
      const namespace = context.globals.namespace ?? system;
      for await (const { object } of readObjects({ resource: services }, { api, namespace, labelSelector })) {
        lines.push(serviceLine(object as JsonObject & Service, api.server, names.get('label.name')));
      }
    }
    await context.stdout.write(lines.join(''));
  },
});

function serviceLine({ metadata, spec, status }: Service, server: string, nameLabel: string): string {
  const name = metadata.labels?.[nameLabel] ?? metadata.name;
  const ports = spec?.ports ?? [];
  const ingress = status?.loadBalancer?.ingress?.[0];
  const address = ingress?.ip ?? ingress?.hostname;
  if (address !== undefined) {
    const links = ports.map(({ port }) => `http://${address}:${port}`);
    return `${name} is running at ${links.join(' ')}\n`;
  }
  const [port] = ports;
  const scheme = port?.name === 'https' || port?.port === 443 ? 'https:' : '';
  const target = port === undefined ? metadata.name : `${scheme}${metadata.name}:${port.name ?? ''}`;
  const plain = scheme === '' && (port?.name ?? '') === '' ? metadata.name : target;
  return `${name} is running at ${server}/api/v1/namespaces/${metadata.namespace}/services/${plain}/proxy\n`;
}
