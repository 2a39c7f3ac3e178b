import type { MetricRow } from './catalogue.ts';
import type { Series } from './series.ts';

/** A value for every label of a metric. */
export type Labels = Readonly<Record<string, string>>;

export interface FamilyOptions<S extends Series> {
  readonly name: string;
  readonly row: MetricRow;
  readonly create: () => S;
  /** Series beyond this number are counted together. */
  readonly maxSeries: number;
  /** Told when one is. */
  readonly onOverflow: () => void;
}

/**
 * All series of one metric. Whoever counts often asks for a series once and keeps it: asking builds a text from the
 * labels, counting doesn't.
 */
export class Family<S extends Series> {
  readonly name: string;
  readonly row: MetricRow;
  readonly #options: FamilyOptions<S>;
  /** By the labels as the exposition shows them. */
  readonly #series = new Map<string, S>();

  constructor(options: FamilyOptions<S>) {
    this.name = options.name;
    this.row = options.row;
    this.#options = options;
    if (this.#labelNames.length === 0) this.with({});
  }

  /**
   * The series with these labels, made when it is new.
   *
   * @throws Error when the labels are not exactly those of the catalogue (a bug of ours).
   */
  with(labels: Labels): S {
    const names = this.#labelNames;
    if (Object.keys(labels).length !== names.length) throw this.#wrongLabels(labels);
    let text = '';
    for (const name of names) {
      const label = formatLabel(name, labels[name] ?? this.#missing(name));
      text = text === '' ? label : `${text},${label}`;
    }
    return this.#series.get(text) ?? this.#add(text);
  }

  /** Forgets all series, for metrics that are set anew at each scrape. Series that somebody keeps are shown no more. */
  clear(): void {
    this.#series.clear();
  }

  entries(): Iterable<readonly [labels: string, series: S]> {
    return this.#series;
  }

  get size(): number {
    return this.#series.size;
  }

  get #labelNames(): readonly string[] {
    return this.row.labels ?? [];
  }

  #add(text: string): S {
    let key = text;
    if (this.#series.size >= this.#options.maxSeries) {
      this.#options.onOverflow();
      key = this.#labelNames.map((name) => formatLabel(name, 'unexpected')).join(',');
    }
    let series = this.#series.get(key);
    if (series === undefined) {
      series = this.#options.create();
      this.#series.set(key, series);
    }
    return series;
  }

  #missing(name: string): never {
    throw new Error(`${this.name} needs the label ${name}`);
  }

  #wrongLabels(labels: Labels): Error {
    const given = Object.keys(labels).sort().join(', ');
    return new Error(`${this.name} has the labels ${this.#labelNames.join(', ')}, not ${given}`);
  }
}

function formatLabel(name: string, value: string): string {
  const escaped = /["\\\n]/.test(value) ? value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n') : value;
  return `${name}="${escaped}"`;
}
