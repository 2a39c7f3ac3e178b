/**
 * Makes the programs in `dist/cli/` of `src/cli/` and all that they import, packages too: one file, and one for each part
 * that is loaded on demand. A start reads some ten files then, instead of more than a thousand. `npm run build`.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist', 'cli');

/** Packages that find files of their own beside their code: they stay where they are installed. */
const FIND_FILES = ['lmdb', 'etcd3', '@grpc/grpc-js', 'pino'];

await build({
  cwd: root,
  platform: 'node',
  input: {
    orchd: 'src/cli/orchd.ts',
    orchctl: 'src/cli/orchctl.ts',
    // A thread's file is beside the code that starts it.
    'yaml-worker': 'src/schema/parse/yaml-worker.ts',
  },
  external: FIND_FILES,
  output: {
    dir: folder,
    // Node loads these faster than ES modules, and of its own modules what is used: an ES module that imports `node:http` has all of its
    // exports looked at, and so half of an HTTP client loaded.
    format: 'cjs',
    cleanDir: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    chunkFileNames: '[name]-[hash].js',
  },
});
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'commonjs' }));
