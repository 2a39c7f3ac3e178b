/**
 * Fills in the types, labels, buckets and stability of the metrics that `schemas/metrics.yaml` names from a release's
 * interface facts, and takes the tests' copy of those.
 *
 *     node hack/import-metrics.ts --facts DIR
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDocument, type Scalar, type YAMLMap } from 'yaml';

interface FactMetric {
  readonly type: string;
  readonly labels: readonly string[];
  readonly stability: string;
  /** The facts write the smallest as text, and an infinite one that all histograms have. */
  readonly buckets?: readonly (number | string)[];
}

const { values } = parseArgs({ options: { facts: { type: 'string' } } });
if (values.facts === undefined) {
  process.stderr.write('usage: node hack/import-metrics.ts --facts DIR\n');
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
const facts = JSON.parse(readFileSync(join(values.facts, 'metrics.json'), 'utf8')) as Record<
  string,
  Record<string, FactMetric>
>;
const known = { ...facts['registeredButNotSeen'], ...facts['served'], ...facts['metrics/slis'] };
const path = join(root, 'schemas', 'metrics.yaml');
const document = parseDocument(readFileSync(path, 'utf8'));
const metrics = document.get('metrics') as YAMLMap<Scalar<string>, YAMLMap<Scalar<string>>>;
const copied: Record<string, FactMetric> = {};

for (const { key, value: row } of metrics.items) {
  if (row === null || row.has('ours')) continue;
  const fact = known[key.value];
  if (fact === undefined) throw new Error(`no fact names ${key.value}`);
  copied[key.value] = fact;
  const help = row.get('help');
  const { type, labels, stability, buckets } = fact;
  const filled = document.createNode({
    type,
    stability: stability.toLowerCase(),
    ...(labels.length === 0 ? {} : { labels }),
    ...(buckets === undefined ? {} : { buckets: buckets.map(Number).filter(Number.isFinite) }),
    help,
  });
  for (const item of filled.items) if ('value' in item && isList(item.value)) item.value.flow = true;
  metrics.set(key, filled);
}
writeFileSync(path, document.toString({ lineWidth: 0 }));
writeFileSync(
  join(root, 'test', 'fixtures', 'facts', 'metrics.json'),
  `{\n${Object.entries(copied)
    .map(([name, fact]) => ` ${JSON.stringify(name)}: ${JSON.stringify(fact)}`)
    .join(',\n')}\n}\n`,
);
process.stdout.write(`${metrics.items.length} metrics\n`);

function isList(node: unknown): node is { flow?: boolean } {
  return typeof node === 'object' && node !== null && 'items' in node;
}
