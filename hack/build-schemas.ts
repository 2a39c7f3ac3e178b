/** Makes `dist/schemas/<profile>/` (JSON, quick to load) from `schemas/` (YAML, the source). `npm run build:schemas`. */

import { join } from 'node:path';
import { buildIndex } from './build/index.ts';
import { readProfiles } from './build/names.ts';
import { readSource, readYaml } from './build/source.ts';
import { StructBuilder } from './build/structs.ts';
import type { Json } from '../src/meta/object.ts';
import { writeFolder } from './build/write.ts';

const root = join(import.meta.dirname, '..');
const source = readSource(join(root, 'schemas'));
const tables = ['feature-gates', 'flags', 'metrics'].map(
  (table) => [table, readYaml(join(root, 'schemas', `${table}.yaml`)) as Json] as const,
);
for (const [profile, { names, translator }] of readProfiles(join(root, 'schemas', 'names'))) {
  const translate = (name: string): string => translator.name(name);
  const structs = new StructBuilder(source, translate);
  const files = new Map([
    ['index.json', JSON.stringify(buildIndex(source, profile, translate))],
    ['names.json', JSON.stringify(names)],
  ]);
  for (const [table, rows] of tables) files.set(`${table}.json`, JSON.stringify(translator.json(rows)));
  for (const [key, file] of source.files) files.set(`${key}.json`, JSON.stringify(structs.build(key, file)));
  writeFolder(join(root, 'dist', 'schemas', profile), files);
}
