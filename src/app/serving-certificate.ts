import type { TlsOptions } from '../http/server/tls-server.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../telemetry/log/log.ts';
import { readCredentialFiles } from './credential-files.ts';
import type { CompletedConfig } from './options/complete.ts';
import { repeat } from './repeat.ts';

type Pair = Pick<TlsOptions, 'cert' | 'key'>;

export interface FollowParts {
  readonly config: Pick<CompletedConfig, 'serving' | 'authentication'>;
  /** What is served with now. */
  readonly current: Pair;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Takes a new pair for new connections. */
  readonly use: (pair: Pair) => void;
}

const READ_EVERY_MS = 60_000;

/**
 * Reads the files of `--tls-cert-file` and `--tls-private-key-file` every minute, and serves with what they hold once
 * that has changed. While they are missing, damaged or don't belong together, what was read before stays, and the log says so.
 *
 * @returns what ends it.
 */
export function followServingCertificate({ config, current, clock, log, use }: FollowParts): () => void {
  const { serving } = config;
  if (serving.certificateFile === '') return () => undefined;
  const authentication = { ...config.authentication, clientCaFile: '', tokenFile: '' };
  const providers = { proxies: { clientCaFile: '' } };
  const nothingElse = { authentication, providers, rootCaFile: '' };
  let used = current;
  let ended = false;
  const read = async (): Promise<void> => {
    try {
      const { serving: pair } = await readCredentialFiles({ serving, ...nothingElse });
      if (ended || pair === undefined || (pair.cert === used.cert && pair.key === used.key)) return;
      use(pair);
      used = pair;
      log.info('serving with the new certificate', { file: serving.certificateFile });
    } catch (error) {
      const problems: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      for (const problem of problems) log.error('the serving certificate stays as it was', problem);
    }
  };
  const stop = repeat(clock, READ_EVERY_MS, read);
  return () => {
    ended = true;
    stop();
  };
}
