import { isIPv6 } from 'node:net';
import { writeYaml } from '../http/format/yaml-writer.ts';
import type { ApiObject } from '../meta/object.ts';
import type { NamingProfile } from '../names/profile.ts';

export interface ClusterInfoOptions {
  readonly names: NamingProfile;
  /** Where others reach the servers. */
  readonly address: string;
  readonly port: number;
  /** PEM of the authority of their certificates. */
  readonly authority: string;
}

const NAME = 'cluster-info';
/** As the tool that sets clusters up calls it: it finds that its work is done. */
const ROLE_NAME = 'kubeadm:bootstrap-signer-clusterinfo';

/** What new nodes read of the cluster before they trust it, and what lets everybody read it. */
export function clusterInfo(options: ClusterInfoOptions): ApiObject[] {
  const { names } = options;
  const namespace = names.get('namespace.public');
  const apiGroup = names.get('group.rbac');
  const rbac = `${apiGroup}/v1`;
  const metadata = { name: ROLE_NAME, namespace };
  const rule = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: [NAME] };
  const everybody = ['system:authenticated', 'system:unauthenticated'];
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: NAME, namespace },
      data: { kubeconfig: kubeconfigOf(options) },
    },
    { apiVersion: rbac, kind: 'Role', metadata, rules: [rule] },
    {
      apiVersion: rbac,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup, kind: 'Role', name: ROLE_NAME },
      subjects: everybody.map((name) => ({ apiGroup, kind: 'Group', name })),
    },
  ];
}

/** A client configuration of one cluster without a name, and nobody's: signatures are of its very text. */
function kubeconfigOf({ address, port, authority }: ClusterInfoOptions): string {
  const host = isIPv6(address) ? `[${address}]` : address;
  const cluster = {
    'certificate-authority-data': Buffer.from(authority).toString('base64'),
    server: `https://${host}:${port}`,
  };
  return writeYaml({
    apiVersion: 'v1',
    clusters: [{ cluster, name: '' }],
    contexts: null,
    'current-context': '',
    kind: 'Config',
    preferences: {},
    users: null,
  });
}
