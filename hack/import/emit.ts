import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Document, isMap, visit } from 'yaml';

const HEADER =
  ' Written by hack/import-schemas.ts; what no fact gives stands in hack/import/overlay.yaml. See docs/schemas.md.';

/** Maps that stand on lines of their own; everything below them is written on one line. */
const BLOCKS = [
  '',
  'resources',
  'resources.*',
  'resources.*.subresources',
  'kinds',
  'types',
  'types.*',
  'types.*.fields',
].map((pattern) => (pattern === '' ? [] : pattern.split('.')));

/** Writes files below a folder, and removes those that an earlier import wrote and this one doesn't. */
export function replaceImported(folder: string, files: ReadonlyMap<string, unknown>): void {
  if (existsSync(folder)) {
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.yaml') || files.has(path)) continue;
      if (readFileSync(join(folder, path), 'utf8').startsWith(`#${HEADER}`)) rmSync(join(folder, path));
    }
  }
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), toYaml(content));
  }
}

/** YAML with one line per field, kind, subresource and column. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  document.commentBefore = HEADER;
  visit(document, {
    Collection(_key, node, ancestors) {
      const path = pathOf(ancestors);
      if (isMap(node) ? !isBlock(path) : path.at(-1) !== 'columns') node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function pathOf(ancestors: readonly unknown[]): string[] {
  const path: string[] = [];
  for (const node of ancestors) {
    if (typeof node === 'object' && node !== null && 'key' in node && 'value' in node)
      path.push(String(node.key));
  }
  return path;
}

function isBlock(path: readonly string[]): boolean {
  return BLOCKS.some(
    (block) => block.length === path.length && block.every((part, i) => part === '*' || part === path[i]),
  );
}
