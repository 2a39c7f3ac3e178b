import { startClient, type LoadClient } from '../access/client.ts';
import { isAlreadyExists } from '../../src/client/status-error.ts';
import { administrator } from './administrator.ts';
import type { Figure } from './figures.ts';
import { processorTimeOf, type Running } from './servers.ts';

const RBAC = 'rbac.authorization.k8s.io';
const NAMESPACE = 'bench';
const CONNECTIONS = 8;

/** Who makes pods: its token is its name. */
export const CREATOR = 'creator';

/** As clients send them: the admission plugins add the account, its token's volume, tolerations and a priority. */
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { generateName: 'made-', labels: { app: 'made', tier: 'back' } },
  spec: {
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/app:1',
        ports: [{ containerPort: 8080, name: 'http' }],
        env: [
          { name: 'A', value: '1' },
          { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '200m', memory: '256Mi' } },
        readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
      },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
};

/** Makes what pods need there, whatever controllers make by themselves, and lets the creator make them. */
export async function preparePods({ url }: Running): Promise<Figure[]> {
  const admin = administrator(url);
  const create = async (path: string, body: object): Promise<void> => {
    await admin.json({ method: 'POST', path, body }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  };
  const named = (kind: string, name: string, apiVersion = 'v1') => ({ apiVersion, kind, metadata: { name } });
  await create('/api/v1/namespaces', named('Namespace', NAMESPACE));
  await create(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, named('ServiceAccount', 'default'));
  await create(`/apis/${RBAC}/v1/clusterroles`, {
    ...named('ClusterRole', CREATOR, `${RBAC}/v1`),
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['create'] }],
  });
  await create(`/apis/${RBAC}/v1/namespaces/${NAMESPACE}/rolebindings`, {
    ...named('RoleBinding', CREATOR, `${RBAC}/v1`),
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: CREATOR },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: CREATOR }],
  });
  await admin.close();
  return [];
}

/** Pods that an ordinary user creates, through all plugins that are on by default. */
export function podCreation(requests: number): (server: Running) => Promise<Figure[]> {
  const ask = { path: `/api/v1/namespaces/${NAMESPACE}/pods`, token: CREATOR, body: POD };
  const connections = Array.from({ length: CONNECTIONS }, () => ({ asks: [ask] }));
  return async function createPods({ url, pid }) {
    const client: LoadClient = startClient();
    try {
      await client.open('pods', url, connections);
      const before = processorTimeOf(pid);
      const ms = await client.run('pods', requests);
      const processor = (processorTimeOf(pid) - before) / requests;
      return [
        { name: 'pod create, all plugins', unit: '/s', better: 'higher', value: (1000 * requests) / ms },
        { name: 'pod create, all plugins, processor time', unit: 'µs', better: 'lower', value: processor },
      ];
    } finally {
      client.stop();
    }
  };
}
