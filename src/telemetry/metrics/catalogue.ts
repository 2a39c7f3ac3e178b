/** `schemas/metrics.yaml`: every metric that is served, by name. */
export interface MetricCatalogue {
  readonly metrics: Readonly<Record<string, MetricRow>>;
}

export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** What may change about it and when; told in the help, as scrapers of the interface expect. */
  readonly stability: 'alpha' | 'beta' | 'stable';
  /** Names of its labels, sorted. */
  readonly labels?: readonly string[];
  /** Upper bounds, rising, without the infinite one. */
  readonly buckets?: readonly number[];
  readonly help: string;
}
