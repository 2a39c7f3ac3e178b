import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import type { Clock } from '../../lib/clock.ts';
import { StorageError } from '../errors.ts';

/** Writes one line of the log. */
export type EtcdLog = (
  level: 'info' | 'warn',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

export interface EtcdOptions {
  /** `http://host:port` or `https://host:port`, in order of preference. */
  readonly endpoints: readonly string[];
  /** Files for `https` endpoints. Without `cafile`, the runtime's own authorities are trusted. */
  readonly tls?: { readonly cafile?: string; readonly certfile?: string; readonly keyfile?: string };
  readonly username?: string;
  readonly password?: string;
  /**
   * Where the caller's keys lie ("/registry" by default): the adapter puts no prefix before them, but the reads of its
   * own (current revision, health) name a key below this one, so that a user confined to the prefix may do them.
   */
  readonly prefix?: string;
  readonly deadlines?: Partial<EtcdDeadlines>;
  /** etcd's `--max-request-bytes`, if it isn't the default of 1.5 MiB. */
  readonly maxRequestBytes?: number;
  readonly clock: Clock;
  readonly log?: EtcdLog;
  /** Spreads the delays between attempts; 0 to 1. Math.random by default. */
  readonly random?: () => number;
}

/** How long things may take, milliseconds. */
export interface EtcdDeadlines {
  /** A connection: to any of the endpoints. A call that finds none fails as `unavailable` after this time. */
  readonly connect: number;
  readonly read: number;
  readonly write: number;
  readonly status: number;
  /** A connection without traffic is probed after this time, … */
  readonly keepaliveAfter: number;
  /** … and is dead if there is no answer for this long. */
  readonly keepaliveTimeout: number;
  /** A watch without messages asks how far it has got, so that a later resumption starts from a young revision. */
  readonly watchIdle: number;
}

const DEFAULT_DEADLINES: EtcdDeadlines = {
  connect: 3_000,
  read: 30_000,
  write: 10_000,
  status: 2_000,
  keepaliveAfter: 30_000,
  keepaliveTimeout: 10_000,
  watchIdle: 30_000,
};

/** What the driver's TLS wants. */
export interface TlsMaterial {
  readonly rootCertificate: Buffer;
  readonly privateKey?: Buffer;
  readonly certChain?: Buffer;
}

/** The options with defaults applied, checked, and files read. */
export interface EtcdConfig {
  readonly endpoints: readonly EtcdUrl[];
  readonly tls: TlsMaterial | undefined;
  readonly credentials: { readonly name: string; readonly password: string } | undefined;
  /** A key under the caller's prefix that needn't exist. */
  readonly probeKey: string;
  readonly deadlines: EtcdDeadlines;
  readonly maxRequestBytes: number;
  readonly clock: Clock;
  readonly log: EtcdLog;
  readonly random: () => number;
}

export interface EtcdUrl {
  readonly secure: boolean;
  /** `host:port`; an IPv6 address in brackets. */
  readonly authority: string;
  /** As given, for messages. */
  readonly url: string;
}

/**
 * Checks the options and reads the certificate files.
 *
 * @throws StorageError `invalid` that names what is wrong.
 */
export async function completeOptions(options: EtcdOptions): Promise<EtcdConfig> {
  if (options.endpoints.length === 0) throw new StorageError('invalid', 'no etcd endpoint is given');
  if ((options.username === undefined) !== (options.password === undefined)) {
    throw new StorageError('invalid', 'an etcd user needs both a name and a password');
  }
  const { username, password } = options;
  return {
    endpoints: options.endpoints.map(parseEndpoint),
    tls: await readTls(options.tls ?? {}),
    credentials: username === undefined || password === undefined ? undefined : { name: username, password },
    probeKey: `${(options.prefix ?? '/registry').replace(/\/+$/, '')}/health`,
    deadlines: { ...DEFAULT_DEADLINES, ...options.deadlines },
    maxRequestBytes: options.maxRequestBytes ?? 1.5 * 1024 * 1024,
    clock: options.clock,
    log: options.log ?? (() => undefined),
    random: options.random ?? Math.random,
  };
}

function parseEndpoint(text: string): EtcdUrl {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    throw new StorageError('invalid', `etcd endpoint "${text}" is not of the form http(s)://host:port`);
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new StorageError('invalid', `etcd endpoint "${url.origin}" has more than a host and a port`);
  }
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? '443' : '80') : url.port;
  return { secure, authority: `${url.hostname}:${port}`, url: url.origin };
}

async function readTls(files: NonNullable<EtcdOptions['tls']>): Promise<TlsMaterial | undefined> {
  const { cafile, certfile, keyfile } = files;
  if ((certfile === undefined) !== (keyfile === undefined)) {
    throw new StorageError('invalid', 'an etcd client certificate needs both a certificate and a key file');
  }
  if (cafile === undefined && certfile === undefined) return undefined;
  const rootCertificate =
    cafile === undefined
      ? Buffer.from(rootCertificates.join('\n'))
      : await readPem(cafile, 'certificate authority');
  if (certfile === undefined || keyfile === undefined) return { rootCertificate };
  return {
    rootCertificate,
    certChain: await readPem(certfile, 'client certificate'),
    privateKey: await readPem(keyfile, 'client key'),
  };
}

async function readPem(path: string, what: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new StorageError('invalid', `can't read etcd's ${what}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
