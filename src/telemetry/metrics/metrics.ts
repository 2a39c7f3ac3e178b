import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MetricCatalogue, MetricRow } from './catalogue.ts';
import { exposeFamily } from './exposition.ts';
import { Family } from './family.ts';
import { Counter, Gauge, Histogram, type Series } from './series.ts';

export interface MetricsOptions {
  readonly catalogue: MetricCatalogue;
  /** Names of metrics that are counted and not shown. */
  readonly disabled?: readonly string[];
  /** Most series of one metric; by default 10,000. */
  readonly maxSeries?: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** The exposition of metrics that are kept elsewhere: those of the process. */
  readonly others?: () => Promise<string>;
}

/** How long an exposition may keep the thread to itself, in milliseconds. */
const SLICE_MS = 5;
const OVERFLOW = 'cardinality_enforcement_unexpected_categorizations_total';

/**
 * Everything that is counted. A metric is asked for by its name in the catalogue, which says its type and labels; a name
 * that it doesn't have is a bug and throws.
 */
export class Metrics {
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #options: MetricsOptions;
  readonly #disabled: ReadonlySet<string>;
  readonly #families = new Map<string, Family<Series>>();
  readonly #collectors: (() => void | Promise<void>)[] = [];

  constructor(options: MetricsOptions) {
    this.#options = options;
    this.#disabled = new Set(options.disabled);
  }

  counter(name: string): Family<Counter> {
    return this.#family(name, 'counter', () => new Counter());
  }

  gauge(name: string): Family<Gauge> {
    return this.#family(name, 'gauge', () => new Gauge());
  }

  histogram(name: string): Family<Histogram> {
    return this.#family(name, 'histogram', ({ buckets = [] }) => new Histogram(buckets));
  }

  /** Has something called before each exposition, to set what is only known then. It must not throw. */
  onScrape(collect: () => void | Promise<void>): void {
    this.#collectors.push(collect);
  }

  /** The exposition of all metrics, or of some. Made in slices: requests are served meanwhile. */
  async text(only?: ReadonlySet<string>): Promise<string> {
    for (const collect of this.#collectors) await collect();
    const { now } = this.#options;
    const parts: string[] = [];
    let since = now();
    for (const name of [...this.#families.keys()].sort()) {
      if (this.#disabled.has(name) || only?.has(name) === false) continue;
      for (const part of exposeFamily(this.#families.get(name) as Family<Series>)) {
        parts.push(part);
        if (now() - since < SLICE_MS) continue;
        await nextTurn();
        since = now();
      }
    }
    if (only === undefined) parts.push((await this.#options.others?.()) ?? '');
    return parts.join('');
  }

  #family<S extends Series>(name: string, type: MetricRow['type'], create: (row: MetricRow) => S): Family<S> {
    const known = this.#families.get(name);
    if (known?.row.type === type) return known as Family<S>;
    const { metrics } = this.#options.catalogue;
    const row = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
    if (row === undefined) throw new Error(`the catalogue has no metric ${name}`);
    if (row.type !== type) throw new Error(`${name} is a ${row.type}, no ${type}`);
    const family = new Family({
      name,
      row,
      create: () => create(row),
      maxSeries: this.#options.maxSeries ?? 10_000,
      onOverflow: () => this.counter(OVERFLOW).with({}).inc(),
    });
    this.#families.set(name, family);
    return family;
  }
}
