import type { ResourceDefinition } from '../schema/model.ts';

type Concerns = (resource: ResourceDefinition) => boolean;

/** Whether a resource is one of the core group's that are named. */
export function only(...resources: readonly string[]): Concerns {
  return ofGroup('', ...resources);
}

/** Whether a resource is one of a group's that are named. */
export function ofGroup(group: string, ...resources: readonly string[]): Concerns {
  return (row) => row.group === group && resources.includes(row.resource);
}
