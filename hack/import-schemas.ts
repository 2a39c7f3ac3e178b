/**
 * Regenerates `schemas/types/` from the interface facts of a release. Files of our own kinds there stay.
 *
 *     node hack/import-schemas.ts --facts DIR
 *
 * How to import the next release: docs/schemas.md.
 */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSource } from './build/source.ts';
import { replaceImported } from './import/emit.ts';
import { readFacts } from './import/facts.ts';
import { importSchemas } from './import/import.ts';
import { readNaming } from './import/naming.ts';
import { readOverlay } from './import/overlay.ts';

const schemas = join(import.meta.dirname, '..', 'schemas');
const { values } = parseArgs({ options: { facts: { type: 'string' } } });
if (values.facts === undefined) {
  process.stderr.write('usage: node hack/import-schemas.ts --facts DIR\n');
  process.exit(2);
}

const files = importSchemas({
  facts: readFacts(values.facts),
  naming: readNaming(join(schemas, 'names')),
  overlay: readOverlay(join(import.meta.dirname, 'import', 'overlay.yaml')),
  groups: readSource(schemas).groups,
});
replaceImported(join(schemas, 'types'), files);
process.stdout.write(`${files.size} files\n`);
