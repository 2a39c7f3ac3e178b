import { addressAt, parseCidr } from '../lib/cidr.ts';
import type { ApiObject } from '../meta/object.ts';
import type { NamingProfile } from '../names/profile.ts';

const HTTPS_PORT = 443;

export interface ApiserverServiceOptions {
  readonly names: NamingProfile;
  /** CIDRs of the cluster's service addresses, the first one first. */
  readonly clusterIpRanges: readonly string[];
  /** Where the servers listen. */
  readonly port: number;
}

/** The address of the service that stands for the API servers: the first of the first range. '' if there is none. */
export function apiserverServiceAddress([range = '']: readonly string[]): string {
  const cidr = parseCidr(range);
  return cidr === undefined ? '' : addressAt(cidr, 1n);
}

/** The service by which what runs in the cluster finds the API servers. */
export function apiserverService({ names, clusterIpRanges, port }: ApiserverServiceOptions): ApiObject {
  const name = names.get('service.apiserver');
  const clusterIP = apiserverServiceAddress(clusterIpRanges);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', labels: { component: 'apiserver', provider: name } },
    spec: {
      clusterIP,
      clusterIPs: [clusterIP],
      ipFamilies: [clusterIP.includes(':') ? 'IPv6' : 'IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'https', port: HTTPS_PORT, protocol: 'TCP', targetPort: port }],
      sessionAffinity: 'None',
      type: 'ClusterIP',
    },
  };
}
