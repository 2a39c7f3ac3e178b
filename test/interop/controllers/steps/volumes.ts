import { isReady, type Pod } from '../objects.ts';
import type { Cluster } from '../cluster.ts';
import type { KubeObject } from '../../../../src/client/index.ts';
import type { Step } from './step.ts';

interface Claim extends KubeObject {
  readonly spec: { readonly volumeName?: string };
  readonly status?: { readonly phase?: string; readonly capacity?: { readonly storage?: string } };
}

type Volume = Claim;

/** A claim gets a volume at once; another only when a pod wants it, on the node that has the volume. */
export const bindClaims: Step = async (cluster, namespace) => {
  const waiting = `waiting-${namespace}`;
  await cluster.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: waiting },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  const node = cluster.nodes[1] ?? '';
  await cluster.create(volume(`at-once-${namespace}`, `at-once-${namespace}`, node));
  await cluster.create(volume(waiting, waiting, node));
  await cluster.create(claim('at-once', namespace, `at-once-${namespace}`));
  await cluster.create(claim('waiting', namespace, waiting));
  await claimed(cluster, namespace, 'at-once=Bound 1Gi,waiting=Pending ');
  await cluster.create(consumer(namespace));
  const bound = await claimed(cluster, namespace, 'at-once=Bound 1Gi,waiting=Bound 1Gi');
  const [pod] = await cluster.until<Pod>({
    what: 'the pod that wants both volumes is ready',
    of: ['v1', 'Pod'],
    namespace,
    labelSelector: 'app=consumer',
    holds: (all) => all.length === 1 && all.every(isReady),
  });
  await cluster.kubectl(`-n ${namespace} delete pod/consumer pvc/at-once pvc/waiting`);
  const released = await cluster.until<Volume>({
    what: 'both volumes are released',
    of: ['v1', 'PersistentVolume'],
    labelSelector: `of=${namespace}`,
    holds: (all) => all.length === 2 && all.every(({ status }) => status?.phase === 'Released'),
  });
  await cluster.kubectl(`delete pv -l of=${namespace}`);
  await cluster.kubectl(`delete storageclass ${waiting}`);
  return [bound, `on ${pod?.spec.nodeName}`, `${released.length} released`];
};

async function claimed(cluster: Cluster, namespace: string, wanted: string): Promise<string> {
  const text = (all: readonly Claim[]): string =>
    all
      .map(({ metadata, status }) => `${metadata.name}=${status?.phase} ${status?.capacity?.storage ?? ''}`)
      .sort()
      .join();
  const what = `claims are ${wanted}`;
  const of = ['v1', 'PersistentVolumeClaim'] as const;
  return text(await cluster.until<Claim>({ what, of, namespace, holds: (all) => text(all) === wanted }));
}

function volume(name: string, storageClassName: string, node: string) {
  const hostname = { key: 'kubernetes.io/hostname', operator: 'In', values: [node] };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, labels: { of: storageClassName.replace(/^(at-once|waiting)-/, '') } },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName,
      local: { path: '/data' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [hostname] }] } },
    },
  };
}

function claim(name: string, namespace: string, storageClassName: string) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace },
    spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
}

function consumer(namespace: string) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'consumer', namespace, labels: { app: 'consumer' } },
    spec: {
      containers: [{ name: 'main', image: 'example.com/main:1' }],
      volumes: ['at-once', 'waiting'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    },
  };
}
