import type { ChannelOptions, Client, ServiceDefinition } from '@grpc/grpc-js';
import { noop } from 'cockatiel';
import { Etcd3 } from 'etcd3';
import type {
  IAuthenticateRequest,
  IAuthenticateResponse,
  ICompactionRequest,
  ICompactionResponse,
  ILeaseGrantRequest,
  ILeaseGrantResponse,
  ILeaseRevokeRequest,
  ILeaseRevokeResponse,
  IStatusResponse,
  Services,
} from 'etcd3';
import type { Method } from './outgoing-call.ts';
import type { EtcdConfig, EtcdUrl } from './options.ts';
import { decodeRange, decodeTxn, encodeRange, encodeTxn } from './proto/kv.ts';
import type { RangeAnswer, TxnRequest, TxnAnswer } from './proto/kv.ts';
import type { RangeRequest } from '../port.ts';
import { UnaryConnection } from './unary-connection.ts';

/*
 * The only file that names the etcd3 package. It gives us channels, credentials and the messages of the rare calls;
 * its retries, circuit breaker, error classes and watcher stay unused, because they re-send transactions, block
 * unrelated calls, drop error codes and lose events (docs/decisions/0003-etcd-client.md).
 */

/** One endpoint's connections: watches have one of their own, so that a long list doesn't hold up events. */
export interface Endpoint {
  readonly url: string;
  readonly unary: Client;
  readonly quick: UnaryConnection;
  readonly watch: Client;
  close(): void;
}

export interface EtcdMethods {
  readonly range: Method<Omit<RangeRequest, 'signal'>, RangeAnswer>;
  readonly txn: Method<TxnRequest, TxnAnswer>;
  readonly compact: Method<ICompactionRequest, ICompactionResponse>;
  readonly leaseGrant: Method<ILeaseGrantRequest, ILeaseGrantResponse>;
  readonly leaseRevoke: Method<ILeaseRevokeRequest, ILeaseRevokeResponse>;
  readonly status: Method<object, IStatusResponse>;
  readonly authenticate: Method<IAuthenticateRequest, IAuthenticateResponse>;
}

export interface Driver {
  readonly endpoints: readonly Endpoint[];
  readonly methods: EtcdMethods;
}

export const WATCH_PATH = '/etcdserverpb.Watch/Watch';

/** Makes the channels of every endpoint. Nothing is connected yet. */
export async function createDriver(config: EtcdConfig): Promise<Driver> {
  const clients = config.endpoints.map((url) => new RawEtcd3(config, url));
  const endpoints = clients.map(async (client, i) => {
    const { url } = config.endpoints[i]!;
    const { tls, deadlines, clock } = config;
    const quick = new UnaryConnection({ url, tls, deadlines, clock, window: FLOW_CONTROL_WINDOW });
    return {
      url,
      quick,
      unary: await client.service('KV'),
      watch: await client.service('Watch'),
      close(): void {
        quick.close();
        client.close();
      },
    };
  });
  return { endpoints: await Promise.all(endpoints), methods: await createMethods(clients[0]!) };
}

/** etcd3's client, opened one layer below its raw clients: at the gRPC clients that its connection pool holds. */
class RawEtcd3 extends Etcd3 {
  constructor(config: EtcdConfig, url: EtcdUrl) {
    super({
      hosts: `${url.secure ? 'https' : 'http'}://${url.authority}`,
      grpcOptions: channelOptions(config),
      faultHandling: { host: () => noop, global: noop },
      ...(url.secure && config.tls !== undefined && { credentials: config.tls }),
    });
  }

  service(name: keyof typeof Services): Promise<Client> {
    return this.pool.withConnection(name, ({ client }) => client);
  }

  /** How etcd3's own proto files encode and decode a service's calls. */
  async definition(name: keyof typeof Services): Promise<ServiceDefinition> {
    const client = await this.service(name);
    return (client.constructor as unknown as { service: ServiceDefinition }).service;
  }
}

async function createMethods(client: RawEtcd3): Promise<EtcdMethods> {
  const [kv, lease, maintenance, auth] = await Promise.all([
    client.definition('KV'),
    client.definition('Lease'),
    client.definition('Maintenance'),
    client.definition('Auth'),
  ]);
  return {
    range: { path: '/etcdserverpb.KV/Range', encode: encodeRange, decode: decodeRange },
    txn: { path: '/etcdserverpb.KV/Txn', encode: encodeTxn, decode: decodeTxn },
    compact: described(kv, 'Compact'),
    leaseGrant: described(lease, 'LeaseGrant'),
    leaseRevoke: described(lease, 'LeaseRevoke'),
    status: described(maintenance, 'Status'),
    authenticate: described(auth, 'Authenticate'),
  };
}

function described<Request, Response>(service: ServiceDefinition, name: string): Method<Request, Response> {
  const definition = service[name];
  if (definition === undefined) throw new Error(`etcd3 describes no call ${name}`);
  return {
    path: definition.path,
    encode: definition.requestSerialize,
    decode: definition.responseDeserialize as (message: Buffer) => Response,
  };
}

const FLOW_CONTROL_WINDOW = 16 * 1024 * 1024;

function channelOptions({ deadlines }: EtcdConfig): ChannelOptions {
  return {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    // Without these a connection whose other end vanished hangs for ever. etcd breaks those that ask without calls.
    'grpc.keepalive_time_ms': deadlines.keepaliveAfter,
    'grpc.keepalive_timeout_ms': deadlines.keepaliveTimeout,
    'grpc.keepalive_permit_without_calls': 0,
    // A connection for watches beside the one for everything else, and none shared with another store.
    'grpc.use_local_subchannel_pool': 1,
    'grpc-node.flow_control_window': FLOW_CONTROL_WINDOW,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
    // An etcd is never behind an HTTP proxy, whatever the environment says; and it has no service config in DNS.
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.enable_channelz': 0,
  };
}
