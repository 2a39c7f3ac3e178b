import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { collectDefaultMetrics, Counter, Registry } from 'prom-client';

/** How often the library looks at how late the event loop is, milliseconds: its default. */
const RESOLUTION_MS = 10;
/** Set by the library only after the scrape that asks for it. */
const CURRENT_LAG = 'nodejs_eventloop_lag_seconds';

/**
 * The metrics of the process and its runtime (`process_*`, `nodejs_*`). The library that knows them, and what it watches
 * for them, costs nothing until somebody scrapes. A scrape that finds nothing watched yet waits for it, some 30 ms;
 * scrapes at the same time share what is found.
 *
 * @param load brings the library. @returns their exposition; fails where the library can't be had, until it can.
 */
export function processMetrics(load = loadLibrary): () => Promise<string> {
  let library: Promise<Library> | undefined;
  let scrape: Promise<string> | undefined;
  const start = async (): Promise<Library> => {
    try {
      return await startLibrary(await load());
    } catch (error) {
      library = undefined; // The next scrape tries again.
      throw error;
    }
  };
  return function exposition() {
    library ??= start();
    scrape ??= library.then(collect).finally(() => (scrape = undefined));
    return scrape;
  };
}

/** What is used of the library. */
interface Prometheus {
  readonly collectDefaultMetrics: typeof collectDefaultMetrics;
  readonly Registry: typeof Registry;
}

interface Library {
  readonly registry: Registry;
  /** Sees what the library's own histogram of the event loop sees, which nobody else can look into. */
  readonly seen: ReturnType<typeof monitorEventLoopDelay>;
}

function loadLibrary(): Promise<Prometheus> {
  return import('prom-client');
}

async function startLibrary({
  collectDefaultMetrics,
  Registry: LibraryRegistry,
}: Prometheus): Promise<Library> {
  const registry = new LibraryRegistry();
  const spent = process.cpuUsage();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: RESOLUTION_MS });
  countSpent(registry, spent);
  await registry.getSingleMetric(CURRENT_LAG)?.get();
  const seen = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  seen.enable();
  return { registry, seen };
}

/** What the process had used before the library began to count. */
function countSpent(registry: Registry, { user, system }: NodeJS.CpuUsage): void {
  const add = (name: string, microseconds: number): void =>
    (registry.getSingleMetric(name) as Counter | undefined)?.inc(microseconds / 1e6);
  add('process_cpu_user_seconds_total', user);
  add('process_cpu_system_seconds_total', system);
  add('process_cpu_seconds_total', user + system);
}

/**
 * The library forgets with each scrape how late the event loop has been: until it is seen again, it would tell NaN. Its
 * timer may run up to one period behind that of `seen`: what has been seen twice here, it has seen once.
 */
async function collect({ registry, seen }: Library): Promise<string> {
  while (seen.count < 2) await new Promise((resolve) => void setTimeout(resolve, RESOLUTION_MS));
  const text = await registry.metrics();
  seen.reset();
  return text;
}
