import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The Helm chart's folder. */
export const CHART = join(import.meta.dirname, '../../charts/orch');

/** A file of the chart, as text. */
export function chartFile(path: string): string {
  return readFileSync(join(CHART, path), 'utf8');
}

/** A rule of Prometheus: a series that is recorded, or an alert. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Every rule of the chart, in order. */
export function chartRules(): Rule[] {
  const { groups } = parse(chartFile('files/rules.yaml')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** A query of the chart's dashboard and the title of its panel. */
export interface PanelQuery {
  readonly panel: string;
  readonly expr: string;
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { expr: string }[] }[];
}

/** Every query of the dashboard. @param values of its variables, by name. */
export function dashboardQueries(values: Readonly<Record<string, string>>): PanelQuery[] {
  const { panels } = JSON.parse(chartFile('files/dashboard.json')) as Dashboard;
  const replaced = (text: string): string =>
    Object.entries(values).reduce((sum, [name, value]) => sum.replaceAll(`$${name}`, value), text);
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ panel: title, expr: replaced(expr) })),
  );
}
