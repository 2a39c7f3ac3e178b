import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** What a traced process did, in the order in which it was done. */
export type TraceEvent =
  /** Bytes handed to the kernel; `durable` when they were on disk by the end of the call. */
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer; readonly durable: boolean }
  /** Everything written before was on disk by now. */
  | { readonly kind: 'sync' }
  /** A line on standard output. */
  | { readonly kind: 'line'; readonly text: string };

const CALLS =
  'openat,lseek,pwrite64,pwritev,pwritev2,write,writev,fdatasync,fsync,msync,ftruncate,sync_file_range';

/** @returns why a process can't be traced here; undefined when it can. */
export function whyNoTrace(): string | undefined {
  const probe = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (probe.error !== undefined) return `no strace: ${probe.error.message}`;
  return probe.status === 0 ? undefined : `strace doesn't work here: ${probe.stderr.trim()}`;
}

/** The command that runs a program under strace. */
export function traced(trace: string, program: readonly string[]): string[] {
  const all = [
    '-f',
    '--seccomp-bpf',
    '-y',
    '-xx',
    '-s',
    '4194304',
    '-e',
    'signal=none',
    '-e',
    `trace=${CALLS}`,
  ];
  return ['strace', ...all, '-o', trace, ...program];
}

/**
 * Reads a trace: what happened to one file, and what was printed. Calls count when they end: a thread's write is in
 * the kernel then, its sync done.
 */
export async function readTrace(trace: string, file: string): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const begun = new Map<string, string>();
  const descriptors = new Map<string, Descriptor>();
  for (const line of (await readFile(trace, 'latin1')).split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) {
      begun.set(thread, rest.slice(0, -'<unfinished ...>'.length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const call = resumed === null ? rest : (begun.get(thread) ?? '') + resumed[1];
    events.push(...eventsOf(call, file, descriptors));
  }
  return events;
}

interface Descriptor {
  /** Opened with O_DSYNC: it writes through. */
  readonly durable: boolean;
  /** Where the next write without an offset of its own goes. */
  position: number;
}

function eventsOf(call: string, file: string, descriptors: Map<string, Descriptor>): TraceEvent[] {
  const [, name = '', rest = ''] = /^(\w+)\((.*)$/.exec(call) ?? [];
  if (name === 'openat') {
    const [, flags = '', opened = ''] = /, (O_[A-Z_|]+).*\) = (\d+)/.exec(call) ?? [];
    descriptors.set(opened, { durable: flags.includes('O_DSYNC'), position: 0 });
    return [];
  }
  const [, number = '', path = ''] = /^(\d+)<([^>]*)>/.exec(rest) ?? [];
  if (number === '1' && name === 'write') {
    return [{ kind: 'line', text: strings(rest)[0]?.toString() ?? '' }];
  }
  const descriptor = descriptors.get(number);
  if (descriptor === undefined || decode(path).toString() !== file) return [];
  const [, offset = '', result = ''] = /(?:, (\d+)\s*)?\)\s+= (-?\d+)/.exec(rest) ?? [];
  switch (name) {
    case 'pwrite64':
    case 'pwritev':
      return [writeOf(rest, Number(offset), Number(result), descriptor)];
    case 'writev': {
      const event = writeOf(rest, descriptor.position, Number(result), descriptor);
      descriptor.position += Number(result);
      return [event];
    }
    case 'lseek':
      descriptor.position = Number(result);
      return [];
    case 'fdatasync':
    case 'fsync':
      if (result !== '0') throw new Error(`a sync failed: ${call}`);
      return [{ kind: 'sync' }];
    default:
      throw new Error(`not understood: ${call.slice(0, 200)}`);
  }
}

function writeOf(call: string, offset: number, length: number, { durable }: Descriptor): TraceEvent {
  const bytes = Buffer.concat(strings(call));
  if (bytes.length !== length) throw new Error(`a write was cut short: ${length} of ${bytes.length} bytes`);
  return { kind: 'write', offset, bytes, durable };
}

function strings(text: string): Buffer[] {
  return [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map((match) => decode(match[1] ?? ''));
}

function decode(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}
