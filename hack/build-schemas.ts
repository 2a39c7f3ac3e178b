/**
 * Makes `dist/schemas/<profile>/` (JSON, quick to load) from `schemas/` (YAML, the source), and the client's types of the
 * built-in kinds. `npm run build:schemas`.
 */

import { join } from 'node:path';
import { clientTypes } from './build/client-types.ts';
import { readDescriptions } from './build/descriptions.ts';
import { readProfiles } from './build/names.ts';
import { readRules } from './build/rules.ts';
import { readSource, readYaml } from './build/source.ts';
import { buildTypes } from './build/types.ts';
import type { Json } from '../src/meta/object.ts';
import { writeFolder } from './build/write.ts';

const root = join(import.meta.dirname, '..');
const source = readSource(join(root, 'schemas'));
const tables = ['feature-gates', 'flags', 'metrics'].map(
  (table) => [table, readYaml(join(root, 'schemas', `${table}.yaml`)) as Json] as const,
);
const BOOTSTRAP = { bootstrap: 'objects', flowcontrol: 'flowcontrol', rbac: 'rbac' };
for (const [table, file] of Object.entries(BOOTSTRAP)) {
  tables.push([table, readYaml(join(root, 'schemas', 'bootstrap', `${file}.yaml`)) as Json]);
}
tables.push(['rules', readRules(join(root, 'schemas', 'rules'), source) as unknown as Json]);
const descriptions = readDescriptions(join(root, 'schemas', 'descriptions'), source);
tables.push(['descriptions', descriptions]);
const built: ReadonlyMap<string, string>[] = [];
for (const [profile, { names, translator }] of readProfiles(join(root, 'schemas', 'names'))) {
  const files = buildTypes(source, profile, (name) => translator.name(name));
  built.push(files);
  files.set('names.json', JSON.stringify(names));
  for (const [table, rows] of tables) files.set(`${table}.json`, JSON.stringify(translator.json(rows)));
  writeFolder(join(root, 'dist', 'schemas', profile), files);
}
writeFolder(join(root, 'dist', 'client'), new Map([['types.d.ts', clientTypes(built, descriptions)]]));
