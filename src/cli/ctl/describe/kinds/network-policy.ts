import { defineDescriber, NO_EVENTS } from '../describer.ts';
import type { Description } from '../description.ts';
import type { Described, IntOrString, Selector } from '../objects.ts';
import { writeLabels } from '../parts/metadata.ts';
import { selectorOrNone, selectorText } from '../parts/selector.ts';
import { plainTime } from '../times.ts';

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr?: string; readonly except?: readonly string[] };
}

interface Port {
  readonly protocol?: string;
  readonly port?: IntOrString;
  readonly endPort?: number;
}

interface NetworkPolicy extends Described {
  readonly spec?: {
    readonly podSelector?: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly { readonly ports?: readonly Port[]; readonly from?: readonly Peer[] }[];
    readonly egress?: readonly { readonly ports?: readonly Port[]; readonly to?: readonly Peer[] }[];
  };
}

/** A way that traffic goes, and what stands at its other end. */
interface Direction {
  readonly type: string;
  readonly traffic: string;
  readonly peer: string;
  readonly end: string;
}

interface Rule {
  readonly ports: readonly Port[] | undefined;
  readonly peers: readonly Peer[] | undefined;
}

const INGRESS: Direction = { type: 'Ingress', traffic: 'ingress', peer: 'From', end: 'source' };
const EGRESS: Direction = { type: 'Egress', traffic: 'egress', peer: 'To', end: 'destination' };

export const networkPolicy = defineDescriber<NetworkPolicy>({
  write(page, { metadata, spec = {} }, world) {
    page.row('Name', metadata.name ?? '');
    page.row('Namespace', metadata.namespace ?? '');
    page.row('Created on', plainTime(metadata.creationTimestamp));
    writeLabels(page, metadata, world);
    page.line('Spec:');
    const selected = selectorText(spec.podSelector);
    const everything = '<none> (Allowing the specific traffic to all pods in this namespace)';
    page.line(`PodSelector:     ${selected || everything}`, 1);
    const { policyTypes = [], ingress = [], egress = [] } = spec;
    const incoming = ingress.map(({ ports, from }) => ({ ports, peers: from }));
    const outgoing = egress.map(({ ports, to }) => ({ ports, peers: to }));
    for (const [direction, rules] of [
      [INGRESS, incoming],
      [EGRESS, outgoing],
    ] as const) {
      if (policyTypes.includes(direction.type)) writeRules(page, direction, rules);
      else page.line(`Not affecting ${direction.traffic} traffic`, 1);
    }
    page.line(`Policy Types: ${policyTypes.join(', ') || '<none>'}`, 1);
  },
  subjects: NO_EVENTS,
});

function writeRules(page: Description, direction: Direction, rules: readonly Rule[]): void {
  const { traffic, peer, end } = direction;
  page.line(`Allowing ${traffic} traffic:`, 1);
  if (rules.length === 0) page.line(`<none> (Selected pods are isolated for ${traffic} connectivity)`, 2);
  for (const [i, { ports = [], peers = [] }] of rules.entries()) {
    if (i > 0) page.line('----------', 2);
    if (ports.length === 0) page.line('To Port: <any> (traffic allowed to all ports)', 2);
    for (const port of ports) page.line(portText(port), 2);
    if (peers.length === 0) page.line(`${peer}: <any> (traffic not restricted by ${end})`, 2);
    for (const one of peers) {
      page.line(`${peer}:`, 2);
      writePeer(page, one);
    }
  }
}

function portText({ protocol = 'TCP', port, endPort }: Port): string {
  const first = port === undefined ? '<nil>' : String(port);
  return endPort === undefined
    ? `To Port: ${first}/${protocol}`
    : `To Port Range: ${first}-${endPort}/${protocol}`;
}

function writePeer(page: Description, { podSelector, namespaceSelector, ipBlock }: Peer): void {
  if (namespaceSelector !== undefined)
    page.line(`NamespaceSelector: ${selectorOrNone(namespaceSelector)}`, 3);
  if (podSelector !== undefined) page.line(`PodSelector: ${selectorOrNone(podSelector)}`, 3);
  if (podSelector !== undefined || namespaceSelector !== undefined || ipBlock === undefined) return;
  page.line('IPBlock:', 3);
  page.line(`CIDR: ${ipBlock.cidr ?? ''}`, 4);
  page.line(`Except: ${(ipBlock.except ?? []).join(', ')}`, 4);
}
