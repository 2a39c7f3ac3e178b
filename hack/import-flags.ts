/**
 * Takes the flags of a release's interface facts into the tests' copy of the facts, and compares `schemas/flags.yaml` with
 * them: it says which flags to add, take out or change. Rows are written by people, since a flag's meaning, bounds and
 * part of the system are in no fact.
 *
 *     node hack/import-flags.ts --facts DIR
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readProfiles } from './build/names.ts';
import { readYaml } from './build/source.ts';
import { compareFlags, type FactFlags, type FlagSource } from './import/flags.ts';

const { values } = parseArgs({ options: { facts: { type: 'string' } } });
if (values.facts === undefined) {
  process.stderr.write('usage: node hack/import-flags.ts --facts DIR\n');
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
const facts = JSON.parse(readFileSync(join(values.facts, 'flags.json'), 'utf8')) as FactFlags;
writeFileSync(
  join(root, 'test', 'fixtures', 'facts', 'flags.json'),
  `${JSON.stringify({ flags: facts.flags }, undefined, 1).replace(/\{\s+([^{}]*?)\s+\}/g, (_, row: string) => `{ ${row.replace(/\s+/g, ' ')} }`)}\n`,
);
const profile = readProfiles(join(root, 'schemas', 'names')).get('kubernetes');
const source = readYaml(join(root, 'schemas', 'flags.yaml')) as FlagSource;
const differences = compareFlags(facts, source, (text) => profile?.translator.text(text) ?? text);
for (const difference of differences) process.stdout.write(`${difference}\n`);
process.stdout.write(`${differences.length} differences\n`);
process.exit(differences.length === 0 ? 0 : 1);
