/** What a query selects series by. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

const SELECTOR = /([a-zA-Z_:][a-zA-Z0-9_:]*)\{([^}]*)\}/g;
const MATCHER = /([a-zA-Z_][a-zA-Z0-9_]*)\s*(?:=~|!~|!=|=)\s*"/g;
const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;
const SERIES = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? \S+$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="/g;

/** The selectors of a query, each of which must have braces. */
export function selectorsOf(query: string): Selector[] {
  return [...query.matchAll(SELECTOR)].map(([, metric = '', matchers = '']) => ({
    metric,
    labels: [...matchers.matchAll(MATCHER)].map(([, label = '']) => label),
  }));
}

/** Labels that a query groups by. */
export function groupedLabels(query: string): string[] {
  return [...query.matchAll(GROUPING)].flatMap(([, labels = '']) =>
    labels
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== ''),
  );
}

/** The series of an exposition: labels by name. */
export function seriesOf(exposition: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of exposition.split('\n')) {
    const [, name, labels = ''] = SERIES.exec(line) ?? [];
    if (name === undefined) continue;
    const known = found.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(LABEL)) known.add(label);
    found.set(name, known);
  }
  return found;
}
