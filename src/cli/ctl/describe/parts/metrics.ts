import type { Description } from '../description.ts';

/** What an autoscaler looks at: of one type, in the field of that name. */
export interface Metric {
  readonly type?: string;
  readonly resource?: MetricSource;
  readonly containerResource?: MetricSource;
  readonly pods?: MetricSource;
  readonly object?: MetricSource;
  readonly external?: MetricSource;
}

interface MetricSource {
  readonly name?: string;
  readonly container?: string;
  readonly metric?: { readonly name?: string };
  readonly describedObject?: { readonly kind?: string; readonly name?: string };
  /** In a spec. */
  readonly target?: Amount & { readonly type?: string };
  /** In a status. */
  readonly current?: Amount;
}

interface Amount {
  readonly averageValue?: string;
  readonly averageUtilization?: number;
  readonly value?: string;
}

const UNKNOWN = '<unknown>';

/** What is written of a metric of a type. */
type WriteMetric = (page: Description, wanted: MetricSource, current: MetricSource | undefined) => void;

const TYPES: Readonly<Record<string, readonly [field: keyof Metric, write: WriteMetric]>> = {
  External: ['external', writeExternal],
  Pods: ['pods', writePods],
  Object: ['object', writeObject],
  Resource: ['resource', writeResource],
  ContainerResource: ['containerResource', writeResource],
};

/** A line of what a metric is to be, and what it was when it was last looked at. */
export function writeMetric(page: Description, metric: Metric, current: Metric | undefined): void {
  const { type = '' } = metric;
  const [field, write] = TYPES[type] ?? [];
  if (field === undefined || write === undefined) return page.line(`<unknown metric type "${type}">`, 1);
  write(page, (metric[field] ?? {}) as MetricSource, current?.[field] as MetricSource | undefined);
}

function writeExternal(
  page: Description,
  { metric, target }: MetricSource,
  now: MetricSource | undefined,
): void {
  const name = JSON.stringify(metric?.name ?? '');
  if (target?.averageValue !== undefined) {
    const current = now?.current?.averageValue ?? UNKNOWN;
    page.row(`${name} (target average value)`, `${current} / ${target.averageValue}`, 1);
  } else page.row(`${name} (target value)`, `${valueOf(now, 'value')} / ${target?.value ?? ''}`, 1);
}

function writePods(page: Description, { metric, target }: MetricSource, now: MetricSource | undefined): void {
  const amounts = `${valueOf(now, 'averageValue')} / ${target?.averageValue ?? ''}`;
  page.row(`${JSON.stringify(metric?.name ?? '')} on pods`, amounts, 1);
}

function writeObject(page: Description, source: MetricSource, now: MetricSource | undefined): void {
  const { metric, describedObject: { kind = '', name = '' } = {}, target } = source;
  const average = target?.type === 'AverageValue';
  const field = average ? 'averageValue' : 'value';
  const label = `"${metric?.name ?? ''}" on ${kind}/${name} (target ${average ? 'average ' : ''}value)`;
  page.row(label, `${valueOf(now, field)} / ${target?.[field] ?? ''}`, 1);
}

function writeResource(page: Description, source: MetricSource, now: MetricSource | undefined): void {
  const { name = '', container, target = {} } = source;
  const where = container === undefined ? '' : ` of container "${container}"`;
  const { averageValue, averageUtilization } = now?.current ?? {};
  if (target.averageValue !== undefined) {
    const amounts = `${averageValue ?? UNKNOWN} / ${target.averageValue}`;
    return page.row(`resource ${name}${where} on pods`, amounts, 1);
  }
  const current =
    averageUtilization === undefined ? UNKNOWN : `${averageUtilization}% (${averageValue ?? '<nil>'})`;
  const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  page.row(`resource ${name}${where} on pods  (as a percentage of request)`, `${current} / ${wanted}`, 1);
}

function valueOf(now: MetricSource | undefined, field: 'value' | 'averageValue'): string {
  return now === undefined ? UNKNOWN : (now.current?.[field] ?? '<nil>');
}
