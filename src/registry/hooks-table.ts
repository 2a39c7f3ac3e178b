import type { NamingProfile } from '../names/profile.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { ResourceHooks } from './hooks.ts';
import { kindKey } from './kind-key.ts';
import { ANY_PODS } from './pod/settings.ts';
import { accessTable } from './tables/access.ts';
import { clusterTable } from './tables/cluster.ts';
import { configurationTable } from './tables/configuration.ts';
import { dataTable } from './tables/data.ts';
import { networkTable } from './tables/network.ts';
import type { HooksParts } from './tables/parts.ts';
import { workloadsTable } from './tables/workloads.ts';
import { GATED_FIELDS, withGatedFields } from './workload/gated-fields.ts';

const NONE: ResourceHooks = {};

/** Finds what data can't say about a resource. Most resources have nothing: for them it is an empty object. */
export function createHooks(
  names: NamingProfile,
  { pods = ANY_PODS, ...others }: HooksParts = {},
): (resource: ResourceDefinition) => ResourceHooks {
  const parts = { ...others, names, pods };
  const tables = [accessTable, clusterTable, configurationTable, dataTable, networkTable, workloadsTable];
  const rows = new Map(tables.flatMap((table) => Object.entries(table(parts))));
  for (const [kind, fields] of Object.entries(GATED_FIELDS))
    rows.set(kind, withGatedFields(rows.get(kind) ?? NONE, fields, pods));
  const found = new WeakMap<ResourceDefinition, ResourceHooks>();
  return function hooksOf(resource) {
    let hooks = found.get(resource);
    if (hooks === undefined) {
      hooks = rows.get(kindKey(resource) ?? '') ?? NONE;
      found.set(resource, hooks);
    }
    return hooks;
  };
}
