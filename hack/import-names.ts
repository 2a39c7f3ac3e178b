/**
 * Takes the names that a release's interface facts use into `test/fixtures/facts/names.json`, and says which of them no
 * naming profile lists. Adding those to `schemas/names/` is a person's work: a name's kind can't be told from its text.
 *
 *     node hack/import-names.ts --facts DIR
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readProfiles } from './build/names.ts';

const { values } = parseArgs({ options: { facts: { type: 'string' } } });
if (values.facts === undefined) {
  process.stderr.write('usage: node hack/import-names.ts --facts DIR\n');
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
const names = namesUsed(values.facts);
writeFileSync(
  join(root, 'test', 'fixtures', 'facts', 'names.json'),
  `${JSON.stringify([...names].sort(), undefined, 1)}\n`,
);
const { names: listed = {} } = readProfiles(join(root, 'schemas', 'names')).get('kubernetes') ?? {};
const known = new Set(Object.values(listed));
const unknown = [...names].filter((name) => !known.has(name));
process.stdout.write(`${names.size} names\n`);
for (const name of unknown) process.stdout.write(`no profile lists ${name}\n`);
process.exit(unknown.length === 0 ? 0 : 1);

function namesUsed(directory: string): Set<string> {
  const found = new Set<string>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.json')) continue;
    visit(JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8')), (text) => {
      for (const name of namesIn(text)) found.add(name);
    });
  }
  return found;
}

function visit(value: unknown, seen: (text: string) => void): void {
  if (typeof value === 'string') seen(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      seen(key);
      visit(item, seen);
    }
  }
}

function* namesIn(text: string): Generator<string> {
  if (text.startsWith('/var/run/secrets/')) {
    yield text.split('/').slice(0, 6).join('/');
    return;
  }
  // Paths of Go packages, of which only the owner's domain looks like a name of the interface.
  if (/^k8s\.io\/(api|apimachinery|apiserver|apiextensions-apiserver|kube-aggregator|metrics)\//.test(text))
    return;
  for (const [name] of text.matchAll(
    /\.?[A-Za-z0-9-][A-Za-z0-9.-]*\.io(?![A-Za-z0-9.-])(\/[A-Za-z0-9_.-]*)?/g,
  )) {
    if (/(^|\.)(k8s|kubernetes)\.io/.test(name)) yield bare(name);
  }
  for (const [name] of text.matchAll(/\bx-kubernetes-[a-z-]+/g)) yield name;
  for (const [name] of text.matchAll(/\bX-Kubernetes-[A-Za-z-]+/g)) yield canonicalHeader(name);
  for (const [name] of text.matchAll(/\bapplication\/vnd\.kubernetes\.[a-z.]+/g)) yield name;
  for (const [name] of text.matchAll(/\bkube-(system|public|node-lease|root-ca)(?![a-z])[a-z.-]*/g))
    yield name;
}

/** As headers are written on the wire: `X-Aa-Bb`. */
function canonicalHeader(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** Without the version before an APIService's group, and without a path below a group. */
function bare(name: string): string {
  const group = name.replace(/^v\d+((alpha|beta)\d+)?\./, '');
  return group.replace(/\/(v\d+((alpha|beta)\d+)?)?$/, (path) =>
    path === '/' && !isGroup(group) ? path : '',
  );
}

function isGroup(name: string): boolean {
  return name.split('/')[0]?.endsWith('.k8s.io') ?? false;
}
