/** The client library: `import { Client, Informer } from 'orch/client'`. */
export { Client, type ClientOptions, type Kind } from './client.ts';
export { ConfigError } from './config-error.ts';
export type { ApiResource } from './discovery/api-resource.ts';
export type { Discovery } from './discovery/discovery.ts';
export type { ApiGroup, ApiVersion } from './discovery/read-all.ts';
export type { ResourceIndex } from './discovery/resource-index.ts';
export { lead, LeadLostError, type LeadOptions } from './election/lead.ts';
export type { Lease, Leases, LeaseSpec } from './election/lease-lock.ts';
export { HttpsTransport, type HttpsTransportOptions } from './https/https-transport.ts';
export type { ClientCertificate, Credentials, CredentialSource } from './https/credentials.ts';
export { Informer, type InformerHandler, type InformerOptions } from './informer/informer.ts';
export { objectKey, type Indexer, type ReadonlyObjectCache } from './informer/object-cache.ts';
export type { ListWatch } from './informer/reflector.ts';
export type {
  AnyObject,
  BuiltInKinds,
  KubeMeta,
  KubeObject,
  ListMeta,
  ObjectList,
  WatchEvent,
} from './kinds.ts';
export { connectKubeconfig, type ConnectedServer, type ConnectOptions } from './kubeconfig/connect.ts';
export { loadInCluster, type InClusterOptions } from './kubeconfig/in-cluster.ts';
export type { Kubeconfig } from './kubeconfig/kubeconfig.ts';
export { loadKubeconfig, mergeKubeconfigs, type LoadKubeconfigOptions } from './kubeconfig/load.ts';
export { selectContext, type ConfigOverrides, type Selection } from './kubeconfig/select.ts';
export { WorkQueue, type RunOptions, type WorkQueueOptions } from './queue/work-queue.ts';
export { ListReader } from './request/list-reader.ts';
export type { RawRequest } from './request/requests.ts';
export type {
  ApplyOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  JsonPatchOperation,
  ListOptions,
  Patch,
  WatchOptions,
  WriteOptions,
} from './resource/options.ts';
export type { ListPiece } from './resource/read-list.ts';
export type { ResourceClient } from './resource/resource-client.ts';
export {
  hasReason,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isNotFound,
  StatusError,
} from './status-error.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport.ts';
