import type { Family } from './family.ts';
import { Histogram, type Series } from './series.ts';

/** Writes one metric in Prometheus' text format, version 0.0.4, a piece at a time so that the caller can pause. */
export function* exposeFamily(family: Family<Series>): Generator<string> {
  if (family.size === 0) return;
  const { name, row } = family;
  yield `# HELP ${name} [${row.stability.toUpperCase()}] ${row.help}\n# TYPE ${name} ${row.type}\n`;
  const bounds = row.buckets?.map(formatBound);
  for (const [labels, series] of family.entries()) {
    if (series instanceof Histogram) yield exposeHistogram(name, labels, series, bounds ?? []);
    else yield `${name}${labels === '' ? '' : `{${labels}}`} ${formatValue(series.value)}\n`;
  }
}

function exposeHistogram(
  name: string,
  labels: string,
  histogram: Histogram,
  bounds: readonly string[],
): string {
  const { counts, sum } = histogram;
  const before = labels === '' ? '' : `${labels},`;
  let text = '';
  let total = 0;
  for (let i = 0; i <= bounds.length; i++) {
    total += counts[i] as number;
    text += `${name}_bucket{${before}le="${bounds[i] ?? '+Inf'}"} ${total}\n`;
  }
  const braces = labels === '' ? '' : `{${labels}}`;
  return `${text}${name}_sum${braces} ${formatValue(sum)}\n${name}_count${braces} ${total}\n`;
}

function formatValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** Bounds are labels, which are compared as text: they are written as Go writes them, `1e+06`. */
export function formatBound(bound: number): string {
  const size = Math.abs(bound);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(bound);
  return bound.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
