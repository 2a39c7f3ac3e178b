/** Writes `docs/flags.md` from `schemas/flags.yaml`. A test fails while the two differ. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagDocs } from './build/flag-docs.ts';
import { readYaml } from './build/source.ts';
import type { FlagSource } from './import/flags.ts';

const root = join(import.meta.dirname, '..');
const source = readYaml(join(root, 'schemas', 'flags.yaml')) as FlagSource;
writeFileSync(join(root, 'docs', 'flags.md'), flagDocs(source));
