/**
 * Regenerates `schemas/types/` and `schemas/groups.yaml` from the interface facts of a release.
 *
 *     node hack/import-schemas.ts --facts DIR
 *
 * How to import the next release: docs/schemas.md.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readFacts } from './import/facts.ts';
import { importSchemas } from './import/import.ts';
import { readNaming } from './import/naming.ts';
import { readOverlay } from './import/overlay.ts';
import { toYaml } from './import/emit.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { facts: { type: 'string' } } });
if (values.facts === undefined) {
  process.stderr.write('usage: node hack/import-schemas.ts --facts DIR\n');
  process.exit(2);
}

const { files, groups } = importSchemas({
  facts: readFacts(values.facts),
  naming: readNaming(join(root, 'schemas', 'names')),
  overlay: readOverlay(join(import.meta.dirname, 'import', 'overlay.yaml')),
});
const types = join(root, 'schemas', 'types');
rmSync(types, { recursive: true, force: true });
for (const [path, content] of files) {
  mkdirSync(join(types, path, '..'), { recursive: true });
  writeFileSync(join(types, path), toYaml(content));
}
writeFileSync(join(root, 'schemas', 'groups.yaml'), toYaml(groups));
process.stdout.write(`${files.size} files\n`);
