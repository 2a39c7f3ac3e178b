import { Document, isMap, visit, type YAMLMap } from 'yaml';

const HEADER =
  ' Written by hack/import-schemas.ts; what no fact gives stands in hack/import/overlay.yaml. See docs/schemas.md.';

/** Maps that stand on lines of their own; everything below them is written on one line. */
const BLOCK_PATHS = new Set([
  '',
  'resources',
  'resources.*',
  'resources.*.subresources',
  'kinds',
  'types',
  'types.*',
  'types.*.fields',
  'groups.*',
]);

/** YAML with one line per field, kind, subresource and column. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  document.commentBefore = HEADER;
  visit(document, {
    Collection(_key, node, path) {
      const where = pathOf(path);
      if (isMap(node) ? !isBlock(where, node) : !where.endsWith('columns') && where !== 'groups')
        node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function pathOf(path: readonly unknown[]): string {
  const names: string[] = [];
  for (const node of path) {
    if (node !== null && typeof node === 'object' && 'key' in node && 'value' in node)
      names.push(String(node.key));
  }
  return names.join('.');
}

function isBlock(where: string, _node: YAMLMap): boolean {
  const parts = where === '' ? [] : where.split('.');
  return [...BLOCK_PATHS].some((pattern) => {
    const wanted = pattern === '' ? [] : pattern.split('.');
    return wanted.length === parts.length && wanted.every((part, i) => part === '*' || part === parts[i]);
  });
}
