import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TOKEN, type Running } from './servers.ts';

/** One line of the load generator. */
export interface LoadResult {
  readonly op: string;
  readonly errors?: number;
  /** Requests a second. */
  readonly rps?: number;
  /** Watch events delivered a second. */
  readonly events_per_s?: number;
  readonly events?: number;
  readonly expected?: number;
  readonly p50_ms?: number;
  readonly p99_ms?: number;
}

/** Runs operations of the load generator against a server. @throws Error when a request failed. */
export async function load(program: string, server: Running, args: readonly string[]): Promise<LoadResult[]> {
  const child = spawn(program, ['-server', server.url, '-token', TOKEN, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const results = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoadResult);
  const bad = results.find((r) => (r.errors ?? 0) > 0);
  if (code !== 0 || bad !== undefined)
    throw new Error(`load ${args.join(' ')} failed: ${JSON.stringify(bad ?? code)}`);
  return results;
}
