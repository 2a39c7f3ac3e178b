import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import type { Described } from '../objects.ts';
import { addressText, slicesOf } from '../parts/endpoints.ts';
import { writeAnnotations, writePairs } from '../parts/metadata.ts';
import type { World } from '../world.ts';

interface Backend {
  readonly service?: {
    readonly name?: string;
    readonly port?: { readonly number?: number; readonly name?: string };
  };
  readonly resource?: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
}

interface Ingress extends Described {
  readonly spec?: {
    readonly ingressClassName?: string;
    readonly defaultBackend?: Backend;
    readonly tls?: readonly { readonly secretName?: string; readonly hosts?: readonly string[] }[];
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: { readonly paths?: readonly { readonly path?: string; readonly backend?: Backend }[] };
    }[];
  };
  readonly status?: {
    readonly loadBalancer?: {
      readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
    };
  };
}

interface Service {
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port?: number }[] };
}

export const ingress = defineDescriber<Ingress>({
  async write(page, object, world) {
    const { metadata, spec = {} } = object;
    page.row('Name', metadata.name ?? '');
    writePairs(page, 'Labels', metadata.labels);
    page.row('Namespace', metadata.namespace ?? '');
    page.row('Address', balancersText(object));
    page.row('Ingress Class', spec.ingressClassName ?? '<none>');
    const backendText = (backend: Backend): Promise<string> =>
      describeBackend(backend, metadata.namespace, world);
    const { defaultBackend, tls = [] } = spec;
    const others = defaultBackend === undefined ? '<default>' : await backendText(defaultBackend);
    page.row('Default backend', others);
    if (tls.length > 0) page.line('TLS:');
    for (const { secretName = '', hosts = [] } of tls) {
      const what = secretName === '' ? 'SNI routes' : `${secretName} terminates`;
      page.line(`${what} ${hosts.join(',')}`, 1);
    }
    if (!(await writeRules(page, object, backendText))) page.line(`*\t*\t${others}`, 1);
    writeAnnotations(page, 'Annotations', metadata.annotations, world);
  },
});

function balancersText({ status }: Ingress): string {
  const found = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(found.filter((text) => text !== ''))].sort().join(',');
}

/** @returns whether there are rules. */
async function writeRules(
  page: Description,
  { spec }: Ingress,
  backendText: (backend: Backend) => Promise<string>,
): Promise<boolean> {
  page.line('Rules:');
  page.line('Host\tPath\tBackends', 1);
  page.line('----\t----\t--------', 1);
  const rules = (spec?.rules ?? []).filter(({ http }) => http !== undefined);
  for (const { host = '', http } of rules) {
    page.line(`${host || '*'}\t`, 1);
    for (const { path = '', backend = {} } of http?.paths ?? []) {
      page.line(`\t${path} \t${await backendText(backend)}`, 2);
    }
  }
  return rules.length > 0;
}

async function describeBackend(
  { service, resource }: Backend,
  namespace: string | undefined,
  world: World,
): Promise<string> {
  if (service !== undefined) {
    const { name = '', port = {} } = service;
    return `${name}:${port.number || port.name || ''} (${await endpointsOf(service, namespace, world)})`;
  }
  if (resource === undefined) return '';
  const { apiGroup = '<none>', kind = '', name = '' } = resource;
  return `APIGroup: ${apiGroup}, Kind: ${kind}, Name: ${name}`;
}

async function endpointsOf(
  { name = '', port = {} }: NonNullable<Backend['service']>,
  namespace: string | undefined,
  world: World,
): Promise<string> {
  try {
    const slices = await slicesOf(name, namespace, world);
    const { spec } = await world.get<Service>({ group: '', kind: 'Service' }, name, namespace);
    const found = (spec?.ports ?? []).findLast((one) =>
      port.number ? one.port === port.number : (port.name ?? '') !== '' && one.name === port.name,
    );
    return addressText(slices, found?.name ?? '');
  } catch (error) {
    return `<error: ${error instanceof Error ? error.message : String(error)}>`;
  }
}
