import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import type { Described, IntOrString, Pairs } from '../objects.ts';
import { addressText, slicesOf, type EndpointSlice } from '../parts/endpoints.ts';
import { labelText, writeHead } from '../parts/metadata.ts';

interface ServicePort {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly targetPort?: IntOrString;
  readonly nodePort?: number;
}

interface ServiceSpec {
  readonly selector?: Pairs;
  readonly type?: string;
  readonly ipFamilyPolicy?: string;
  readonly ipFamilies?: readonly string[];
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly externalIPs?: readonly string[];
  readonly loadBalancerIP?: string;
  readonly externalName?: string;
  readonly ports?: readonly ServicePort[];
  readonly sessionAffinity?: string;
  readonly externalTrafficPolicy?: string;
  readonly internalTrafficPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly loadBalancerSourceRanges?: readonly string[];
}

interface LoadBalancerAddress {
  readonly ip?: string;
  readonly ipMode?: string;
  readonly hostname?: string;
}

interface Service extends Described {
  readonly spec?: ServiceSpec;
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly LoadBalancerAddress[] } };
}

export const service = defineDescriber<Service>({
  async write(page, { metadata, spec = {}, status }, world) {
    writeHead(page, metadata, world);
    page.row('Selector', labelText(spec.selector));
    page.row('Type', spec.type ?? '');
    writeAddresses(page, spec);
    const balancers = status?.loadBalancer?.ingress ?? [];
    if (balancers.length > 0) page.row('LoadBalancer Ingress', balancers.map(balancerText).join(', '));
    const { name = '', namespace } = metadata;
    const slices = await slicesOf(name, namespace, world).catch(() => []);
    for (const port of spec.ports ?? []) writePort(page, port, slices);
    page.row('Session Affinity', spec.sessionAffinity ?? '');
    if (spec.externalTrafficPolicy) page.row('External Traffic Policy', spec.externalTrafficPolicy);
    if (spec.internalTrafficPolicy) page.row('Internal Traffic Policy', spec.internalTrafficPolicy);
    if (spec.healthCheckNodePort) page.row('HealthCheck NodePort', spec.healthCheckNodePort);
    const ranges = spec.loadBalancerSourceRanges ?? [];
    if (ranges.length > 0) page.row('LoadBalancer Source Ranges', ranges.join(','));
  },
});

function writeAddresses(page: Description, spec: ServiceSpec): void {
  const { ipFamilies = [], clusterIPs = [], externalIPs = [] } = spec;
  if (spec.ipFamilyPolicy !== undefined) page.row('IP Family Policy', spec.ipFamilyPolicy);
  page.row('IP Families', ipFamilies.join(',') || '<none>');
  page.row('IP', spec.clusterIP ?? '');
  page.row('IPs', clusterIPs.length === 0 ? '<none>' : clusterIPs.join(','));
  if (externalIPs.length > 0) page.row('External IPs', externalIPs.join(','));
  if (spec.loadBalancerIP) page.row('Desired LoadBalancer IP', spec.loadBalancerIP);
  if (spec.externalName) page.row('External Name', spec.externalName);
}

function balancerText({ ip = '', ipMode, hostname = '' }: LoadBalancerAddress): string {
  if (ip === '') return hostname;
  return ipMode === undefined ? ip : `${ip} (${ipMode})`;
}

function writePort(page: Description, port: ServicePort, slices: readonly EndpointSlice[]): void {
  const { name = '', protocol = '', targetPort = 0, nodePort = 0 } = port;
  const shown = name === '' ? '<unset>' : name;
  page.row('Port', `${shown}\t${port.port ?? 0}/${protocol}`);
  page.row('TargetPort', `${targetPort}/${protocol}`);
  if (nodePort !== 0) page.row('NodePort', `${shown}\t${nodePort}/${protocol}`);
  page.row('Endpoints', addressText(slices, name));
}
