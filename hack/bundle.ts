/**
 * Makes the programs in `dist/cli/` of `src/cli/` and all that they import, packages too: one file, and one for each part
 * that is loaded on demand. A start reads some ten files then, instead of more than a thousand. `npm run build`.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { etcdMessages } from './build/etcd-messages.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist', 'cli');

/** Packages that find files of their own beside their code: they stay where they are installed. */
const FIND_FILES = ['lmdb', 'pino'];

/** What Express loads for things that the server never asks of it: reading bodies, serving files, naming their types. */
const UNUSED = ['body-parser', 'mime-db', 'serve-static'];
const NOTHING = join(import.meta.dirname, 'build', 'nothing.json');

/** V8 keeps a text in one byte a character where all of them are Latin-1, else in two. */
const oneByteText: Plugin = {
  name: 'one-byte-text',
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = escaped(file.code);
  },
};

function escaped(code: string): string {
  return code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

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
  resolve: {
    alias: {
      ...Object.fromEntries(UNUSED.map((name) => [name, NOTHING])),
      // That for Node looks up the line that called it, for which V8 makes a table of all lines.
      depd: 'depd/lib/browser/index.js',
    },
  },
  plugins: [etcdMessages, oneByteText],
  output: {
    dir: folder,
    cleanDir: true,
    // Node loads these faster than ES modules, and of its own modules only what is used: where an ES module imports `node:http`, all
    // that this one exports is looked at, an HTTP client among it.
    format: 'cjs',
    comments: { legal: true, annotation: false, jsdoc: false },
    chunkFileNames: '[name]-[hash].js',
  },
});
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'commonjs' }));
