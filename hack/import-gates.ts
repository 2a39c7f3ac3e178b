/**
 * Takes the feature gates of a release's interface facts over into `schemas/feature-gates.yaml`, keeping the rows that
 * are our own, and into the tests' copy of the facts.
 *
 *     node hack/import-gates.ts --facts DIR
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDocument, type Scalar, type YAMLMap } from 'yaml';

interface FactGate {
  /** Absent for gates of a library that has no releases. */
  readonly history?: readonly (readonly [release: string, stage: string, on: boolean, locked?: 'locked'])[];
  readonly stage: string;
  readonly enabled: boolean;
}

/** These stand for all gates of their stage. */
const STAGES = new Set(['AllAlpha', 'AllBeta']);

const { values } = parseArgs({ options: { facts: { type: 'string' } } });
if (values.facts === undefined) {
  process.stderr.write('usage: node hack/import-gates.ts --facts DIR\n');
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
const facts = JSON.parse(readFileSync(join(values.facts, 'feature-gates.json'), 'utf8')) as Record<
  string,
  FactGate
>;
const path = join(root, 'schemas', 'feature-gates.yaml');
const document = parseDocument(readFileSync(path, 'utf8'));
const gates = document.get('gates') as YAMLMap<Scalar<string>, YAMLMap>;
gates.items = gates.items.filter(({ value }) => value?.get('ours') === true);
for (const [name, gate] of Object.entries(facts)) {
  if (STAGES.has(name)) continue;
  if (gates.has(name)) throw new Error(`${name} is in the facts now: take ours out of ${path}`);
  const rows = historyOf(gate).map((entry) => {
    const row = document.createNode(entry);
    row.flow = true;
    return row;
  });
  gates.set(document.createNode(name), document.createNode({ history: rows }));
}
gates.items.sort((a, b) => (a.key.value < b.key.value ? -1 : 1));
writeFileSync(path, document.toString({ lineWidth: 110 }));
writeFileSync(
  join(root, 'test', 'fixtures', 'facts', 'feature-gates.json'),
  `{\n${Object.entries(facts)
    .map(([name, gate]) => ` ${JSON.stringify(name)}: ${JSON.stringify(gate)}`)
    .join(',\n')}\n}\n`,
);
process.stdout.write(`${gates.items.length} gates\n`);

function historyOf({ history, stage, enabled }: FactGate): object[] {
  if (history === undefined) return [{ stage: stage.toLowerCase(), on: enabled }];
  return history.map(([release, name, on, locked]) => ({
    release,
    stage: name.toLowerCase(),
    on,
    ...(locked === undefined ? {} : { locked: true }),
  }));
}
