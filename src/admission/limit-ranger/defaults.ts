import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { LimitRange } from './limit-range.ts';

/** Gives the containers of a pod what they don't say of their resources. @returns what was set, a text for readers. */
export function setDefaults(pod: ApiObject, range: LimitRange): string {
  const items = range.filter(({ type }) => type === 'Container');
  if (items.length === 0) return '';
  const requests = Object.assign({}, ...items.map((item) => item.defaultRequests)) as JsonObject;
  const limits = Object.assign({}, ...items.map((item) => item.defaultLimits)) as JsonObject;
  const spec = objectAt(pod, 'spec');
  const said: string[] = [];
  const complete = (field: string, what: string): void => {
    for (const container of objectsAt(spec, field)) {
      const whose = `for ${what} ${textAt(container, 'name')}`;
      const setRequests = fill(container, 'requests', requests);
      const setLimits = fill(container, 'limits', limits);
      if (setRequests !== '') said.push(`${setRequests} request ${whose}`);
      if (setLimits !== '') said.push(`${setLimits} limit ${whose}`);
    }
  };
  complete('containers', 'container');
  complete('initContainers', 'init container');
  return said.join('; ');
}

/** @returns the names of what was set. */
function fill(container: JsonObject, field: 'requests' | 'limits', defaults: JsonObject): string {
  const resources = objectAt(container, 'resources') ?? {};
  const given = objectAt(resources, field) ?? {};
  const missing = Object.keys(defaults).filter((name) => given[name] === undefined);
  if (missing.length === 0) return '';
  for (const name of missing) given[name] = defaults[name];
  resources[field] = given;
  container['resources'] = resources;
  return missing.sort().join(', ');
}
