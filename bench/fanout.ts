/**
 * Delivers events to many watches of one HTTP/2 connection, or of one connection each, and says how many a second arrive:
 *
 *     node bench/fanout.ts [watchers=100] [events=5000] [bytes=1500] [connections=1]
 *
 * The store and the verbs are stand-ins: this is the HTTP side alone. The client runs in a process of its own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import http2 from 'node:http2';
import { configMapEntry, startGateway } from '../test/support/http-gateway.ts';

interface Plan {
  readonly watchers: number;
  readonly events: number;
  readonly bytes: number;
  readonly connections: number;
}

const PATH = '/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=600';

function planOf([watchers = '100', events = '5000', bytes = '1500', connections = '1']: string[]): Plan {
  return {
    watchers: Number(watchers),
    events: Number(events),
    bytes: Number(bytes),
    connections: Number(connections),
  };
}

/** Watches, and tells the parent when all streams are open and when all events have arrived. */
async function client(origin: string, plan: Plan): Promise<void> {
  const sessions = await Promise.all(
    Array.from({ length: plan.connections }, async () => {
      const settings = { initialWindowSize: 4 * 1024 * 1024 };
      const session = http2.connect(origin, { rejectUnauthorized: false, settings });
      await once(session, 'remoteSettings');
      session.setLocalWindowSize(64 * 1024 * 1024);
      return session;
    }),
  );
  let left = plan.watchers * plan.events;
  const opened = Array.from({ length: plan.watchers }, async (_, i) => {
    const stream = (sessions[i % sessions.length] as http2.ClientHttp2Session).request({ ':path': PATH });
    stream.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) left--;
      if (left === 0) process.send?.('done');
    });
    await once(stream, 'response');
  });
  await Promise.all(opened);
  process.send?.('open');
}

async function server(plan: Plan, args: readonly string[]): Promise<void> {
  const gateway = await startGateway();
  const child = fork(import.meta.filename, ['client', gateway.origin, ...args]);
  await once(child, 'message');
  await gateway.feed.open(plan.watchers);
  const started = performance.now();
  const cpu = process.cpuUsage();
  const done = once(child, 'message');
  for (let i = 0; i < plan.events; i++) {
    gateway.feed.send([{ type: 'ADDED', entry: configMapEntry(`event-${i}`, i + 10, plan.bytes) }]);
    // Events arrive as a store's do: a few in each turn of the event loop.
    if (i % 4 === 3) await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const delivered = plan.watchers * plan.events;
  console.log(
    `${delivered} events of ${plan.bytes} bytes to ${plan.watchers} watchers on ${plan.connections} connection(s): ` +
      `${Math.round(delivered / seconds)} events/s, ${Math.round(((user + system) / delivered) * 1000)} ns of CPU each, ` +
      `RSS ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
  );
  child.kill();
  await gateway.close();
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === 'client') await client(rest[0] as string, planOf(rest.slice(1)));
else await server(planOf(process.argv.slice(2)), process.argv.slice(2));
