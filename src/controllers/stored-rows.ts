import type { ResourceDefinition, SchemaRegistry } from '../schema/model.ts';

/** Gives the rows that are chosen of all that is served and stored, each stored resource once, in its preferred version. */
export function storedRows(
  schemas: SchemaRegistry,
  isChosen: (row: ResourceDefinition) => boolean,
): () => readonly ResourceDefinition[] {
  let rows: readonly ResourceDefinition[] = [];
  let generation: number | undefined;
  return () => {
    if (generation !== schemas.generation) {
      generation = schemas.generation;
      rows = findRows(schemas, isChosen);
    }
    return rows;
  };
}

function findRows(
  schemas: SchemaRegistry,
  isChosen: (row: ResourceDefinition) => boolean,
): ResourceDefinition[] {
  const byPrefix = new Map<string, ResourceDefinition>();
  for (const { name, versions } of schemas.groups()) {
    for (const version of versions) {
      for (const row of schemas.resourcesOf(name, version)) {
        const prefix = row.storage?.prefix;
        if (prefix !== undefined && !byPrefix.has(prefix) && isChosen(row)) byPrefix.set(prefix, row);
      }
    }
  }
  return [...byPrefix.values()];
}
