/** Brings the table of values in `charts/orch/README.md` up to date. A test fails while it isn't. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartReadme } from './build/chart-docs.ts';

const chart = join(import.meta.dirname, '..', 'charts', 'orch');
const readme = join(chart, 'README.md');
const values = readFileSync(join(chart, 'values.yaml'), 'utf8');
writeFileSync(readme, await chartReadme(readFileSync(readme, 'utf8'), values));
