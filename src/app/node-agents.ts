import type { Clock } from '../lib/clock.ts';
import type { StreamParts } from '../http/relay/streams.ts';
import type { NamingProfile } from '../names/profile.ts';
import { Backends, type AgentTls } from '../outbound/backends.ts';
import { locateHost } from '../outbound/locate.ts';
import type { NodeAgents } from '../registry/node/agent.ts';
import type { Log } from '../telemetry/log/log.ts';
import { belongTogether, certificates, fromFile, privateKey } from './credential-files.ts';
import type { CompletedConfig } from './options/complete.ts';
import { repeat } from './repeat.ts';
import type { ProxyOptions } from './options/providers.ts';

export interface NodeAgentsParts {
  readonly config: Pick<CompletedConfig, 'nodeAgents' | 'providers'>;
  readonly names: NamingProfile;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** How the agents of nodes, and what runs on nodes, is reached. */
export interface OpenedNodeAgents {
  /** For who finds them in objects. */
  readonly agents: NodeAgents;
  /** For who passes requests on. */
  readonly relay: StreamParts;
  close(): void;
}

/** Where node agents listen that don't say so. */
const AGENT_PORT = 10_250;
/** How long connections may take to be made where the flag sets no bound. */
const LONGEST_CONNECT_MS = 30_000;
const READ_EVERY_MS = 60_000;
/** Protocols of programs' streams, the newest first. */
const CHANNEL_PROTOCOLS = [
  'protocol.channel-v5',
  'protocol.channel-v4',
  'protocol.channel-v3',
  'protocol.channel-v2',
  'protocol.channel',
] as const;

/**
 * Reads the certificates for node agents, now and every minute: while the files are missing, damaged or don't belong
 * together, what was read before stays.
 *
 * @throws AggregateError with an error for every file that can't be used, which names its flag.
 */
export async function openNodeAgents({
  config,
  names,
  clock,
  log,
}: NodeAgentsParts): Promise<OpenedNodeAgents> {
  const { nodeAgents } = config;
  const connectMs = nodeAgents.connectMs > 0 ? nodeAgents.connectMs : LONGEST_CONNECT_MS;
  let used = await readAgentTls(nodeAgents);
  const backends = new Backends({ clock, connectMs, agentTls: used });
  const look = async (): Promise<void> => {
    try {
      const now = await readAgentTls(nodeAgents);
      if (now.cert === used.cert && now.key === used.key && now.ca === used.ca) return;
      used = now;
      backends.setAgentTls(now);
      log.info('node agents are reached with the new certificates');
    } catch (error) {
      const problems: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      for (const problem of problems) log.error('certificates for node agents stay as they were', problem);
    }
  };
  const { certificateFile, authorityFile } = nodeAgents;
  const stop =
    certificateFile === '' && authorityFile === '' ? () => undefined : repeat(clock, READ_EVERY_MS, look);
  return {
    agents: {
      addressTypes: nodeAgents.addressTypes,
      port: AGENT_PORT,
      locate: locateHost(clock, connectMs),
    },
    relay: {
      open: (backend, request) => backends.request(backend, request),
      isIdentityHeader: identityHeaders(config.providers.proxies),
      tokenProtocolPrefix: names.get('protocol.bearer-token-prefix'),
      channels: {
        closing: names.get('protocol.channel-v5'),
        spoken: CHANNEL_PROTOCOLS.map((name) => names.get(name)),
      },
    },
    close() {
      stop();
      backends.close();
    },
  };
}

async function readAgentTls(files: CompletedConfig['nodeAgents']): Promise<AgentTls> {
  const problems: Error[] = [];
  const tell = (problem: Error): void => void problems.push(problem);
  const read = (flag: string, path: string, parse: (text: string) => string): Promise<string | undefined> =>
    fromFile({ flag, path, parse, tell });
  const ca = await read('kubelet-certificate-authority', files.authorityFile, certificates);
  const cert = await read('kubelet-client-certificate', files.certificateFile, certificates);
  const key = await read('kubelet-client-key', files.keyFile, privateKey);
  if (cert !== undefined && key !== undefined && !belongTogether(cert, key)) {
    tell(
      new Error(
        `--kubelet-client-key: ${files.keyFile} is not the key of the certificate in ${files.certificateFile}`,
      ),
    );
  }
  if (problems.length > 0) throw new AggregateError(problems);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

/** By which users of this server are known: those of clients, and those that proxies before it may set. */
function identityHeaders(proxies: ProxyOptions): (name: string) => boolean {
  const { usernameHeaders, uidHeaders, groupHeaders, extraHeaderPrefixes } = proxies;
  const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
  const names = new Set(['authorization', ...lower([...usernameHeaders, ...uidHeaders, ...groupHeaders])]);
  const prefixes = ['impersonate-', 'x-remote-', ...lower(extraHeaderPrefixes)];
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
