import { isForbidden } from '../../errors.ts';
import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import { subjectOf } from '../events.ts';
import type { Amounts, Condition, Described, Pod } from '../objects.ts';
import { writeAmounts } from '../parts/amounts.ts';
import { writeConditions } from '../parts/conditions.ts';
import { writeLabels, writeValues } from '../parts/metadata.ts';
import { writeNodeUse } from '../parts/node-use.ts';
import { longTime } from '../times.ts';
import type { World } from '../world.ts';

interface Taint {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
}

interface Node extends Described {
  readonly spec?: {
    readonly taints?: readonly Taint[];
    readonly unschedulable?: boolean;
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly string[];
    readonly providerID?: string;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type?: string; readonly address?: string }[];
    readonly capacity?: Amounts;
    readonly allocatable?: Amounts;
    readonly nodeInfo?: Readonly<Record<string, string>>;
  };
}

interface Lease {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly acquireTime?: string;
    readonly renewTime?: string;
  };
}

const SYSTEM_INFO: readonly (readonly [label: string, field: string])[] = [
  ['Machine ID', 'machineID'],
  ['System UUID', 'systemUUID'],
  ['Boot ID', 'bootID'],
  ['Kernel Version', 'kernelVersion'],
  ['OS Image', 'osImage'],
  ['Operating System', 'operatingSystem'],
  ['Architecture', 'architecture'],
  ['Container Runtime Version', 'containerRuntimeVersion'],
  ['Kubelet Version', 'kubeletVersion'],
  ['Kube-Proxy Version', 'kubeProxyVersion'],
];

export const node = defineDescriber<Node>({
  async write(page, object, world) {
    const { metadata, spec = {}, status = {} } = object;
    page.row('Name', metadata.name ?? '');
    page.row('Roles', rolesOf(object, world).join(',') || '<none>');
    writeLabels(page, metadata, world);
    page.row('CreationTimestamp', longTime(metadata.creationTimestamp));
    writeValues(page, 'Taints', [...(spec.taints ?? [])].sort(byEffect).map(taintText));
    page.row('Unschedulable', spec.unschedulable === true);
    await writeLease(page, metadata.name ?? '', world);
    writeConditions(page, status.conditions, {
      columns: ['type', 'status', 'heartbeat', 'changed', 'reason', 'message'],
      spaced: 5,
    });
    writeStatus(page, object);
    const pods = await podsOn(metadata.name ?? '', world);
    if (pods === undefined) return page.row('Pods', 'not authorized');
    const { capacity = {}, allocatable = {} } = status;
    writeNodeUse(page, pods, {
      allocatable: Object.keys(allocatable).length > 0 ? allocatable : capacity,
      now: world.now,
    });
  },
  /** Those who report on nodes name them by uid, or by name in its place. */
  subjects(object) {
    const subject = subjectOf(object);
    return [subject, { ...subject, uid: subject.name }];
  },
});

function writeStatus(page: Description, { spec = {}, status = {} }: Node): void {
  page.line('Addresses:');
  for (const { type = '', address = '' } of status.addresses ?? []) page.row(type, address, 1);
  for (const [title, amounts = {}] of [
    ['Capacity', status.capacity],
    ['Allocatable', status.allocatable],
  ] as const) {
    if (Object.keys(amounts).length === 0) continue;
    page.line(`${title}:`);
    writeAmounts(page, amounts, 1);
  }
  page.line('System Info:');
  for (const [label, field] of SYSTEM_INFO) page.row(label, status.nodeInfo?.[field] ?? '', 1);
  if (spec.podCIDR) page.row('PodCIDR', spec.podCIDR);
  if ((spec.podCIDRs ?? []).length > 0) page.row('PodCIDRs', (spec.podCIDRs ?? []).join(','));
  if (spec.providerID) page.row('ProviderID', spec.providerID);
}

function rolesOf({ metadata: { labels = {} } }: Node, { names }: World): string[] {
  const [prefix, label] = [names.get('prefix.node-role'), names.get('label.node-role')];
  const roles = Object.keys(labels)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  return [...new Set([...roles, labels[label] ?? ''])].filter((role) => role !== '').sort();
}

function byEffect(a: Taint, b: Taint): number {
  const [x, y] = [a, b].map(({ effect = '', key = '' }) => `${effect},${key}`) as [string, string];
  return x < y ? -1 : x > y ? 1 : 0;
}

function taintText({ key = '', value = '', effect = '' }: Taint): string {
  const named = value === '' ? key : `${key}=${value}`;
  return effect === '' && value === '' ? named : `${named}:${effect}`;
}

async function writeLease(page: Description, name: string, world: World): Promise<void> {
  let lease: Lease;
  try {
    const namespace = world.names.get('namespace.node-lease');
    lease = await world.get<Lease>({ group: 'group.coordination', kind: 'Lease' }, name, namespace);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return page.row('Lease', `Failed to get lease: ${message}`);
  }
  const { holderIdentity = '<unset>', acquireTime, renewTime } = lease.spec ?? {};
  page.line('Lease:');
  page.row('HolderIdentity', holderIdentity, 1);
  page.row('AcquireTime', acquireTime ? longTime(acquireTime) : '<unset>', 1);
  page.row('RenewTime', renewTime ? longTime(renewTime) : '<unset>', 1);
}

/** The pods of a node that haven't ended; undefined for who may not see them. */
async function podsOn(name: string, world: World): Promise<Pod[] | undefined> {
  const fieldSelector = `spec.nodeName=${name},status.phase!=Succeeded,status.phase!=Failed`;
  try {
    return await world.list<Pod>({ group: '', kind: 'Pod' }, { fieldSelector });
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
