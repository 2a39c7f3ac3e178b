import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { freePort } from '../support/free-ports.ts';
import { secretText } from './chart-pod.ts';
import type { Manifest } from './chart-tools.ts';

const READY_WITHIN_MS = 30_000;
const ASK_EVERY_MS = 200;

/** What a ServiceMonitor of the chart says; the structure is checked where the chart's objects are. */
export interface ServiceMonitor extends Manifest {
  readonly spec: {
    readonly endpoints: readonly [
      {
        readonly scheme: string;
        readonly path: string;
        readonly interval: string;
        readonly scrapeTimeout: string;
        readonly authorization: { readonly type: string; readonly credentials: SecretKey };
        readonly tlsConfig: { readonly serverName: string; readonly ca: { readonly secret: SecretKey } };
        readonly relabelings?: readonly Relabeling[];
        readonly metricRelabelings?: readonly Relabeling[];
      },
    ];
  };
}

interface SecretKey {
  readonly name: string;
  readonly key: string;
}

type Relabeling = Readonly<Record<string, unknown>>;

/** What a query came to: each series' labels and value. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface RunningPrometheus {
  /** @throws Error with the message of a query that Prometheus refuses. */
  query(expression: string): Promise<Sample[]>;
  /** Asks until the answer is as wanted. @throws Error with the last answer after half a minute. */
  eventually(expression: string, wanted: (samples: Sample[]) => boolean): Promise<Sample[]>;
  /** What its API has below `/api/v1/`. */
  get(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

export interface PrometheusOptions {
  readonly program: string;
  readonly monitor: ServiceMonitor;
  /** The objects that the monitor refers to. */
  readonly objects: readonly Manifest[];
  /** `https://host:port` of the gateway. */
  readonly target: string;
  /** What a PrometheusRule has as its spec. */
  readonly rules: object;
}

/** Starts a Prometheus that scrapes as the operator would have it, for a ServiceMonitor, and evaluates rules every second. */
export async function startPrometheus(options: PrometheusOptions): Promise<RunningPrometheus> {
  const directory = mkdtempSync(join(tmpdir(), 'orch-prometheus-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const config = file(
    'prometheus.yaml',
    stringify({
      global: { evaluation_interval: '1s' },
      rule_files: [file('rules.yaml', stringify(options.rules))],
      scrape_configs: [scrapeConfig(options, file)],
    }),
  );
  const port = await freePort();
  const child = spawn(
    options.program,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const base = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  const deadline = Date.now() + READY_WITHIN_MS;
  while (
    !(await fetch(`${base}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error('Prometheus did not become ready');
    }
    await delay(ASK_EVERY_MS);
  }
  return { ...api(`${base}/api/v1/`), stop };
}

/** The settings that the operator makes of a monitor's endpoint, with the target given instead of discovered. */
function scrapeConfig(
  { monitor, objects, target }: PrometheusOptions,
  file: (name: string, text: string) => string,
): object {
  const [endpoint] = monitor.spec.endpoints;
  const { authorization, tlsConfig } = endpoint;
  const secret = ({ name, key }: SecretKey): string => file(`${name}.${key}`, secretText(name, key, objects));
  return {
    job_name: `serviceMonitor/${monitor.metadata.namespace}/${monitor.metadata.name}/0`,
    scheme: endpoint.scheme,
    metrics_path: endpoint.path,
    scrape_interval: endpoint.interval,
    scrape_timeout: endpoint.scrapeTimeout,
    authorization: { type: authorization.type, credentials_file: secret(authorization.credentials) },
    tls_config: { server_name: tlsConfig.serverName, ca_file: secret(tlsConfig.ca.secret) },
    relabel_configs: (endpoint.relabelings ?? []).map(snakeCased),
    metric_relabel_configs: (endpoint.metricRelabelings ?? []).map(snakeCased),
    static_configs: [{ targets: [new URL(target).host] }],
  };
}

function snakeCased(relabeling: Relabeling): Relabeling {
  return Object.fromEntries(
    Object.entries(relabeling).map(([key, value]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function api(base: string): Pick<RunningPrometheus, 'query' | 'eventually' | 'get'> {
  const get = async (path: string): Promise<unknown> => {
    const answer = (await (await fetch(base + path)).json()) as { data?: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(`${decodeURIComponent(path)}: ${answer.error}`);
    return answer.data;
  };
  const query = async (expression: string): Promise<Sample[]> => {
    const data = (await get(`query?query=${encodeURIComponent(expression)}`)) as {
      result: { metric: Record<string, string>; value: [number, string] }[];
    };
    return data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
  };
  return {
    get,
    query,
    async eventually(expression, wanted) {
      const deadline = Date.now() + READY_WITHIN_MS;
      for (;;) {
        const samples = await query(expression);
        if (wanted(samples)) return samples;
        if (Date.now() > deadline) throw new Error(`${expression}: ${JSON.stringify(samples)}`);
        await delay(ASK_EVERY_MS);
      }
    },
  };
}
