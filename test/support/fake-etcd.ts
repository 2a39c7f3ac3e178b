import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import type {
  Client,
  MethodDefinition,
  sendUnaryData,
  ServerDuplexStream,
  ServerUnaryCall,
  ServiceDefinition,
} from '@grpc/grpc-js';
import { Etcd3 } from 'etcd3';
import type { IWatchResponse, Services } from 'etcd3';

/** What a handler throws to answer with a gRPC error. */
export class GrpcFailure extends Error {
  readonly code: status;

  constructor(code: status, details: string) {
    super(details);
    this.code = code;
  }
}

type Message = Record<string, unknown>;
type Handler = (request: Message, metadata: Metadata) => Message | Promise<Message>;
type WatchCall = ServerDuplexStream<Message, Message>;

/** One watch stream as the server sees it. */
export class FakeWatch {
  readonly metadata: Metadata;
  readonly #call: WatchCall;
  readonly #requests = new Mailbox<Message>();

  constructor(call: WatchCall) {
    this.#call = call;
    this.metadata = call.metadata;
    call.on('data', (message: Message) => this.#requests.put(message));
    call.on('error', () => undefined);
    call.on('cancelled', () => this.#requests.put({ cancelled: true }));
  }

  /** The next message of the client; `{ cancelled: true }` when it gave the stream up. */
  request(): Promise<Message> {
    return this.#requests.take();
  }

  /** Reads the creation and answers it. @returns what was asked for. */
  async created(headerRevision: number): Promise<Message> {
    const { create_request } = await this.request();
    this.send({ created: true }, headerRevision);
    return create_request as Message;
  }

  /** @returns whether the stream takes more at once. */
  send(response: Partial<Omit<IWatchResponse, 'header'>>, headerRevision: number): boolean {
    return this.#call.write({ header: { revision: String(headerRevision) }, ...response });
  }

  /** Events as `key@revision`, all puts unless the text begins with a minus. */
  events(headerRevision: number, events: readonly string[], fragment = false): void {
    this.send({ fragment, events: events.map(parseEvent) }, headerRevision);
  }

  /** Ends the stream with an error. */
  fail(code: status, details: string): void {
    this.#call.emit('error', { code, details, metadata: new Metadata() });
  }

  end(): void {
    this.#call.end();
  }
}

function parseEvent(text: string): IWatchResponse['events'][number] {
  const deleted = text.startsWith('-');
  const [key, revision] = text.replace('-', '').split('@');
  const kv = {
    key: Buffer.from(key!),
    value: Buffer.from(deleted ? '' : `value of ${key}`),
    create_revision: deleted ? '0' : revision!,
    mod_revision: revision!,
    version: '1',
    lease: '0',
  };
  return { type: deleted ? 'Delete' : 'Put', kv } as IWatchResponse['events'][number];
}

/** A server that speaks etcd's interface through etcd3's own proto files and does what a test says. */
export class FakeEtcd {
  /** By method name. Range and Status answer something plain unless a test sets them. */
  readonly handlers = new Map<string, Handler>([
    ['Range', () => ({ header: { revision: '10' } })],
    ['Status', () => ({ header: { cluster_id: '255' }, version: '3.5.21', dbSize: '1000' })],
  ]);
  /** The names of the unary calls that arrived, in order. */
  readonly calls: string[] = [];
  readonly #server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  readonly #watches = new Mailbox<FakeWatch>();
  #port = 0;

  static async start(port = 0): Promise<FakeEtcd> {
    const fake = new FakeEtcd();
    for (const service of ['KV', 'Lease', 'Maintenance', 'Auth'] as const) {
      fake.#serve(await definitionOf(service));
    }
    fake.#server.addService(await definitionOf('Watch'), {
      Watch: (call: WatchCall) => fake.#watches.put(new FakeWatch(call)),
    });
    fake.#port = await new Promise<number>((resolve, reject) => {
      fake.#server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    return fake;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The next watch stream that a client opens. */
  watch(): Promise<FakeWatch> {
    return this.#watches.take();
  }

  /** How often a method was called. */
  count(method: string): number {
    return this.calls.filter((name) => name === method).length;
  }

  /** Drops every connection and listens no more. */
  stop(): void {
    this.#server.forceShutdown();
  }

  #serve(definition: ServiceDefinition): void {
    const unary = Object.entries(definition).filter(([, method]) => !isStreaming(method));
    const implementation = unary.map(([name]) => {
      const serve = (call: ServerUnaryCall<Message, Message>, answer: sendUnaryData<Message>) => {
        this.calls.push(name);
        this.#answer(name, call).then(
          (response) => answer(null, response),
          (error: GrpcFailure) => answer({ code: error.code, details: error.message }),
        );
      };
      return [name, serve] as const;
    });
    this.#server.addService(Object.fromEntries(unary), Object.fromEntries(implementation));
  }

  async #answer(name: string, call: ServerUnaryCall<Message, Message>): Promise<Message> {
    const handler = this.handlers.get(name);
    if (handler === undefined) throw new GrpcFailure(status.UNIMPLEMENTED, `no handler for ${name}`);
    return handler(call.request, call.metadata);
  }
}

function isStreaming(method: MethodDefinition<unknown, unknown>): boolean {
  return method.requestStream || method.responseStream;
}

/** etcd3's own description of a service: an oracle independent of our codec. */
export async function definitionOf(service: keyof typeof Services): Promise<ServiceDefinition> {
  class Raw extends Etcd3 {
    client(): Promise<Client> {
      return this.pool.withConnection(service, ({ client }) => client);
    }
  }
  const raw = new Raw({ hosts: 'http://127.0.0.1:1' });
  const client = await raw.client();
  raw.close();
  return (client.constructor as unknown as { service: ServiceDefinition }).service;
}

/** Values put by one side and awaited by the other. */
class Mailbox<T> {
  readonly #values: T[] = [];
  readonly #waiting: ((value: T) => void)[] = [];

  put(value: T): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#values.push(value);
    else waiting(value);
  }

  take(): Promise<T> {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift()!);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
