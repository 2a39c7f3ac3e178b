import assert from 'node:assert/strict';
import { readSources } from './imports.ts';

/** The folders of `src/` by rank: a file imports its own folder and folders of lower ranks. */
const RANKS: readonly (readonly string[])[] = [
  ['lib'],
  ['meta', 'telemetry'],
  ['errors'], // below what throws them
  ['names', 'outbound', 'request'],
  ['client', 'schema', 'storage'],
  ['storage/embedded', 'storage/etcd', 'store'],
  ['admission', 'audit', 'authn', 'authz', 'flowcontrol', 'registry'],
  ['verbs'],
  ['controllers', 'http'],
  ['app'],
  ['cli', 'testing', '.'],
];

const sources = readSources();

describe('layers', () => {
  it('every file stands in a folder that has a rank', () => {
    const strays = sources.filter(({ path }) => folderOf(path) === undefined).map(({ path }) => path);
    assert.deepEqual(strays, []);
  });

  it('a file imports its own folder and lower ranks only', () => {
    const edges = sources.flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) =>
        target === undefined || allowed(path, target) ? [] : [`${path} -> ${target}`],
      ),
    );
    assert.deepEqual(edges, []);
  });

  it('no files import each other in a circle, not even for types', () => {
    const edges = sources.map(({ path, imports }): [string, string[]] => [
      path,
      imports.flatMap(({ target }) => (target === undefined ? [] : [target])),
    ]);
    assert.deepEqual(findCycle(new Map(edges)), undefined);
  });
});

function allowed(from: string, to: string): boolean {
  const own = folderOf(from);
  const other = folderOf(to);
  return own !== undefined && other !== undefined && (own === other || rankOf(other) < rankOf(own));
}

function rankOf(folder: string): number {
  return RANKS.findIndex((folders) => folders.includes(folder));
}

/** The longest ranked folder that holds a file. */
function folderOf(path: string): string | undefined {
  const parts = path.split('/').slice(0, -1);
  if (parts.length === 0) return '.';
  for (let length = parts.length; length > 0; length--) {
    const folder = parts.slice(0, length).join('/');
    if (rankOf(folder) >= 0) return folder;
  }
  return undefined;
}

/** The first circle found, as its files in order. */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): string[] | undefined => {
    const start = trail.indexOf(path);
    if (start >= 0) return [...trail.slice(start), path];
    if (done.has(path)) return undefined;
    for (const target of edges.get(path) ?? []) {
      const cycle = walk(target, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of edges.keys()) {
    const cycle = walk(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
