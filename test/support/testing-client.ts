import { CoreV1Api, KubeConfig, type V1ConfigMap } from '@kubernetes/client-node';
import type { TestControlPlane } from '../../src/testing/index.ts';

export const namespace = 'default';

/** How a user of the JavaScript client connects to a control plane for tests. */
export function connect({ kubeconfig }: TestControlPlane): { config: KubeConfig; core: CoreV1Api } {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return { config, core: config.makeApiClient(CoreV1Api) };
}

export function configMap(name: string, value = ''): V1ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
}

/** Creates a config map. */
export function create(core: CoreV1Api, name: string, value = ''): Promise<V1ConfigMap> {
  return core.createNamespacedConfigMap({ namespace, body: configMap(name, value) });
}

export function read(core: CoreV1Api, name: string): Promise<V1ConfigMap> {
  return core.readNamespacedConfigMap({ namespace, name });
}

/** The config maps of a namespace, by name and value, but for those of the control plane itself. */
export async function listValues(core: CoreV1Api): Promise<Record<string, string | undefined>> {
  const { items } = await core.listNamespacedConfigMap({ namespace });
  const own = items.filter(({ data }) => data?.['value'] !== undefined);
  return Object.fromEntries(
    own.map(({ metadata, data }) => [metadata?.name ?? '', data?.['value']] as const),
  );
}
