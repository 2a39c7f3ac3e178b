import type { ResourceDefinition, SchemaRegistry } from '../../schema/model.ts';

/** Gives the rows of everything that a namespace may hold and that can be deleted, each stored resource once. */
export function namespacedRows(schemas: SchemaRegistry): () => readonly ResourceDefinition[] {
  let rows: readonly ResourceDefinition[] = [];
  let generation: number | undefined;
  return () => {
    if (generation !== schemas.generation) {
      generation = schemas.generation;
      rows = findRows(schemas);
    }
    return rows;
  };
}

function findRows(schemas: SchemaRegistry): ResourceDefinition[] {
  const byPrefix = new Map<string, ResourceDefinition>();
  for (const { name, versions } of schemas.groups()) {
    for (const version of versions) {
      for (const row of schemas.resourcesOf(name, version)) {
        const prefix = row.storage?.prefix;
        if (prefix === undefined || byPrefix.has(prefix) || !canBeEmptied(row)) continue;
        byPrefix.set(prefix, row);
      }
    }
  }
  return [...byPrefix.values()];
}

function canBeEmptied({ namespaced, verbs }: ResourceDefinition): boolean {
  return namespaced && verbs.includes('list') && verbs.includes('delete');
}
