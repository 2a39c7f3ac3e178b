/**
 * A client in a process of its own: opens connections once, and asks by them as often as it is told. It is driven by
 * messages of its parent.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http2 from 'node:http2';

/** One connection: the certificate it shows, if any, and what is asked on it in turns. */
export interface Connection {
  readonly cert?: string;
  readonly key?: string;
  readonly asks: readonly Ask[];
}

/** A GET, or the creation of an object, by whoever the token says, or else the certificate of its connection. */
export interface Ask {
  readonly path: string;
  /** Of what is created. */
  readonly body?: object;
  readonly token?: string;
  /** What is answered; by default that it is done. */
  readonly status?: number;
}

type Message =
  | { readonly open: string; readonly origin: string; readonly connections: readonly Connection[] }
  | { readonly run: string; readonly requests: number };

/** Sets of connections by their names, and requests by them. */
export interface LoadClient {
  open(name: string, origin: string, connections: readonly Connection[]): Promise<void>;
  /** @returns milliseconds that the requests took. @throws Error when one was answered otherwise than it should. */
  run(name: string, requests: number): Promise<number>;
  stop(): void;
}

export function startClient(): LoadClient {
  const child: ChildProcess = fork(import.meta.filename, [], { env: { ...process.env, BENCH_CLIENT: '1' } });
  const send = async (message: Message): Promise<number> => {
    const answered = once(child, 'message');
    child.send(message);
    const [answer] = (await answered) as [number | string];
    if (typeof answer === 'string') throw new Error(answer);
    return answer;
  };
  return {
    async open(name, origin, connections) {
      await send({ open: name, origin, connections });
    },
    run: (name, requests) => send({ run: name, requests }),
    stop: () => void child.kill(),
  };
}

/** Requests under way, over all connections of a set. */
const CONCURRENCY = 32;

interface Open {
  readonly session: http2.ClientHttp2Session;
  readonly asks: readonly Ask[];
  next: number;
}

async function connect(origin: string, { cert, key, asks }: Connection): Promise<Open> {
  const shown = cert === undefined || key === undefined ? {} : { cert, key };
  const session = http2.connect(origin, { rejectUnauthorized: false, ...shown });
  await once(session, 'remoteSettings');
  return { session, asks, next: 0 };
}

async function ask({ session }: Open, { path, token, body, status }: Ask): Promise<void> {
  const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const wanted = status ?? (body === undefined ? 200 : 201);
  const stream =
    body === undefined
      ? session.request({ ':path': path, ...credentials })
      : session.request({
          ':method': 'POST',
          ':path': path,
          'content-type': 'application/json',
          ...credentials,
        });
  if (body !== undefined) stream.end(JSON.stringify(body));
  const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpStatusHeader];
  if (headers[':status'] !== wanted) throw new Error(`${path}: ${headers[':status']} instead of ${wanted}`);
  stream.resume();
  await once(stream, 'end');
}

async function run(all: readonly Open[], requests: number): Promise<number> {
  let begun = 0;
  const worker = async (_: unknown, i: number): Promise<void> => {
    const open = all[i % all.length] as Open;
    while (begun++ < requests) await ask(open, open.asks[open.next++ % open.asks.length] as Ask);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: Math.max(CONCURRENCY, all.length) }, worker));
  return performance.now() - started;
}

function serveParent(): void {
  const sets = new Map<string, readonly Open[]>();
  const answer = async (message: Message): Promise<number> => {
    if ('run' in message) return run(sets.get(message.run) ?? [], message.requests);
    const { open, origin, connections } = message;
    sets.set(open, await Promise.all(connections.map((one) => connect(origin, one))));
    return 0;
  };
  process.on('message', (message) => {
    answer(message as Message).then(
      (ms) => process.send?.(ms),
      (error: unknown) => process.send?.(String(error)),
    );
  });
}

if (process.env['BENCH_CLIENT'] === '1') serveParent();
