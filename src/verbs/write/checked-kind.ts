import type { ResourceDefinition } from '../../schema/model.ts';

/** The kind that refusals of objects name: that of the group which objects are stored in, whatever the request's. */
export function checkedKind({ group, kind, storage }: ResourceDefinition): { group: string; kind: string } {
  return { group: storage?.group ?? group, kind };
}
