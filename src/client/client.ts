import { systemClock, type Clock } from '../lib/clock.ts';
import { formatGroupVersion } from '../meta/object.ts';
import type { NamingProfile, ProfileName } from '../names/profile.ts';
import { ConfigError } from './config-error.ts';
import type { ApiResource } from './discovery/api-resource.ts';
import { Discovery } from './discovery/discovery.ts';
import type { Lease } from './election/lease-lock.ts';
import type { AnyObject, BuiltInKinds, KubeObject } from './kinds.ts';
import { connectKubeconfig, type ConnectOptions } from './kubeconfig/connect.ts';
import { Requests, type RawRequest } from './request/requests.ts';
import { ResourceClient } from './resource/resource-client.ts';
import type { Transport, TransportResponse } from './transport.ts';
import { wakefulClock } from './wakeful-clock.ts';

export interface ClientOptions {
  readonly transport: Transport;
  /** For messages, e.g. `https://host:port`. */
  readonly server?: string | undefined;
  /** Where objects go that name no namespace; `default` by default. */
  readonly namespace?: string | undefined;
  /** The naming profile that the server must have; by default either will do. */
  readonly naming?: ProfileName | undefined;
  /** Gets what the server warns of, each text once. */
  readonly onWarning?: ((text: string) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** The kind that an `apiVersion` and a kind name, where the types are known. */
export type Kind<Version extends string, Name extends string> = Version extends keyof BuiltInKinds
  ? Name extends keyof BuiltInKinds[Version]
    ? BuiltInKinds[Version][Name]
    : AnyObject
  : AnyObject;

/** A server's resources. Nothing is sent by making it. */
export class Client {
  readonly server: string;
  /** What the server serves. */
  readonly discovery: Discovery;
  /** The clock that waits go by. */
  readonly clock: Clock;
  readonly #transport: Transport;
  readonly #requests: Requests;
  readonly #namespace: string;

  constructor(options: ClientOptions) {
    const { transport, server = 'the server', namespace = 'default', naming, onWarning } = options;
    this.server = server;
    this.clock = options.clock ?? wakefulClock;
    this.#transport = transport;
    this.#namespace = namespace;
    this.#requests = new Requests({ transport, clock: this.clock, onWarning });
    this.discovery = new Discovery({ requests: this.#requests, server, naming });
  }

  /**
   * A client of the server that kubeconfig files name, or where there are none in a pod, of that of its cluster.
   *
   * @throws ConfigError for what is missing, damaged or expired.
   */
  static async fromKubeconfig(
    options: ConnectOptions & Omit<ClientOptions, 'transport' | 'server' | 'clock'> = {},
  ): Promise<Client> {
    const { transport, server, namespace } = await connectKubeconfig({ clock: systemClock, ...options });
    return new Client({ namespace, ...options, transport, server, clock: options.clock });
  }

  /**
   * The objects of a kind, e.g. `client.resource('apps/v1', 'Deployment')`. The type of built-in kinds is known; others'
   * can be said: `client.resource<Widget>('example.com/v1', 'Widget')`.
   */
  resource<Version extends string, Name extends string>(
    apiVersion: Version,
    kind: Name,
  ): ResourceClient<Kind<Version, Name> & KubeObject>;
  resource<T extends KubeObject>(apiVersion: string, kind: string): ResourceClient<T>;
  resource(apiVersion: string, kind: string): ResourceClient<KubeObject> {
    return this.#resource(() => this.discovery.forKind(apiVersion, kind));
  }

  /** The objects of a resource by its plural, e.g. `{ group: 'apps', version: 'v1', resource: 'deployments' }`. */
  resourceByName<T extends KubeObject = AnyObject>(named: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
  }): ResourceClient<T> {
    const apiVersion = formatGroupVersion(named.group, named.version);
    return this.#resource<T>(() => this.discovery.forResource(apiVersion, named.resource));
  }

  /** The objects of a resource that discovery gave. */
  resourceOf<T extends KubeObject = AnyObject>(resource: ApiResource): ResourceClient<T> {
    return this.#resource<T>(() => Promise.resolve(resource));
  }

  /**
   * Finds a resource by what people call it: plural, singular, kind or short name, with `.group` or `.version.group`.
   *
   * @throws ConfigError when the server has none.
   */
  async find<T extends KubeObject = AnyObject>(word: string): Promise<ResourceClient<T>> {
    const found = (await this.discovery.index()).find(word);
    if (found === undefined) throw new ConfigError(`the server has no resource ${JSON.stringify(word)}`);
    return this.resourceOf<T>(found);
  }

  /**
   * The names that the server uses.
   *
   * @throws ConfigError when they aren't those that it must use.
   */
  names(): Promise<NamingProfile> {
    return this.discovery.names();
  }

  /** The leases of a namespace, for elections: see {@link lead}. */
  async leases(namespace: string): Promise<ResourceClient<Lease>> {
    const group = (await this.names()).get('group.coordination');
    return this.resource<Lease>(`${group}/v1`, 'Lease').namespace(namespace);
  }

  /** Sends any request; the answer's body is read as it comes. @throws StatusError when the server refuses. */
  raw(request: RawRequest): Promise<TransportResponse> {
    return this.#requests.open(request);
  }

  /** Sends any request and reads the answer's JSON. @throws StatusError when the server refuses. */
  json<T = unknown>(request: RawRequest): Promise<T> {
    return this.#requests.json<T>(request);
  }

  /** Sends any request and reads the whole answer as text. @throws StatusError when the server refuses. */
  text(request: RawRequest): Promise<string> {
    return this.#requests.text(request);
  }

  /** Ends what is open. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  #resource<T extends KubeObject>(resolve: () => Promise<ApiResource>): ResourceClient<T> {
    const defaultNamespace = this.#namespace;
    return new ResourceClient<T>({
      requests: this.#requests,
      resolve,
      namespace: undefined,
      defaultNamespace,
    });
  }
}
