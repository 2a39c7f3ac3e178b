/**
 * Requests to the HTTP side alone, on stand-in verbs, beside a bare HTTP/2 server of the same runtime:
 *
 *     node bench/http.ts [requests=20000] [concurrency=32]
 *
 * GETs of a 3.5 KB object and full lists of 10,000 of them, on HTTP/2 and HTTP/1.1. The client runs in a process of its own;
 * CPU is the server's, which is the figure to compare on a busy machine.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../test/support/certificates.ts';
import { configMapEntry, startGateway } from '../test/support/http-gateway.ts';

const OBJECT = '/api/v1/namespaces/default/configmaps/c1';
const LIST = '/api/v1/namespaces/default/configmaps';

interface Load {
  readonly origin: string;
  readonly path: string;
  readonly protocol: 'h2' | 'h1';
  readonly requests: number;
  readonly concurrency: number;
}

type Ask = () => Promise<void>;

async function askHttp2(origin: string, path: string): Promise<Ask> {
  const session = http2.connect(origin, {
    rejectUnauthorized: false,
    settings: { initialWindowSize: 1 << 22 },
  });
  await once(session, 'remoteSettings');
  session.setLocalWindowSize(1 << 26);
  return async () => {
    const stream = session.request({ ':path': path });
    stream.resume();
    await once(stream, 'end');
  };
}

function askHttp1(origin: string, path: string): Ask {
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
  return () =>
    new Promise((resolve, reject) => {
      https
        .get(origin + path, { agent }, (response) => response.resume().on('end', resolve))
        .on('error', reject);
    });
}

async function client({ origin, path, protocol, requests, concurrency }: Load): Promise<void> {
  const ask = protocol === 'h2' ? await askHttp2(origin, path) : askHttp1(origin, path);
  let next = 0;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (next++ < requests) await ask();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  process.send?.(performance.now() - started);
}

async function measure(title: string, load: Load): Promise<void> {
  const cpu = process.cpuUsage();
  const child = fork(import.meta.filename, ['client', JSON.stringify(load)]);
  const [ms] = (await once(child, 'message')) as [number];
  const { user, system } = process.cpuUsage(cpu);
  child.kill();
  const rate = Math.round((load.requests / ms) * 1000 * 10) / 10;
  const each = Math.round((user + system) / load.requests);
  console.log(
    `${title.padEnd(28)} ${load.protocol}  ${String(rate).padStart(9)} /s  ${String(each).padStart(7)} µs of CPU each`,
  );
}

async function bareServer(body: Buffer): Promise<{ origin: string; close: () => void }> {
  const server = http2.createSecureServer({ ...(await selfSigned()), allowHTTP1: true });
  server.on('request', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

async function main(requests: number, concurrency: number): Promise<void> {
  const entries = Array.from({ length: 10_000 }, (_, i) => configMapEntry(`c${i}`, i + 1, 3_300));
  const gateway = await startGateway({ entries });
  const bare = await bareServer((entries[1] as (typeof entries)[0]).bytes().bytes);
  for (const protocol of ['h2', 'h1'] as const) {
    await measure('GET, bare server', { origin: bare.origin, path: '/', protocol, requests, concurrency });
    await measure('GET', { origin: gateway.origin, path: OBJECT, protocol, requests, concurrency });
    const lists = { origin: gateway.origin, path: LIST, protocol, requests: 40 };
    await measure('LIST of 10,000, 4 at once', { ...lists, concurrency: 4 });
    const before = process.memoryUsage().rss;
    await measure('LIST of 10,000, 32 at once', { ...lists, requests: 64, concurrency: 32 });
    console.log(`${' '.repeat(28)} RSS +${Math.round((process.memoryUsage().rss - before) / 1e6)} MB`);
  }
  bare.close();
  await gateway.close();
}

const [mode = '20000', more = '32'] = process.argv.slice(2);
if (mode === 'client') await client(JSON.parse(more) as Load);
else await main(Number(mode), Number(more));
