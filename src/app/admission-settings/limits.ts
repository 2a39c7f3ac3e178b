import { CACHE_SIZE, LIMIT_TYPES, type EventLimit } from '../../admission/event-rate-limit/configuration.ts';
import type { LimitedResource } from '../../admission/resource-quota/check.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { readConfigurationObject } from '../../schema/configuration/read.ts';
import { list, record } from '../../schema/configuration/shape.ts';

const QUOTAS = record({
  limitedResources: list(
    record({
      apiGroup: 'string',
      resource: 'string',
      matchContains: list('string'),
      matchScopes: list(record({ scopeName: 'string', operator: 'string', values: list('string') })),
    }),
  ),
});

/** Reads what needs a quota. @throws Error naming everything that is wrong */
export function readLimitedResources(value: JsonObject, names: NamingProfile): readonly LimitedResource[] {
  const current = value['kind'] === 'ResourceQuotaConfiguration';
  const old = names.get('config.resource-quota');
  const { limitedResources } = readConfigurationObject(value, {
    kind: current ? 'ResourceQuotaConfiguration' : 'Configuration',
    apiVersions: current ? [`${names.get('config.apiserver')}/v1`] : [`${old}/v1beta1`, `${old}/v1alpha1`],
    shape: QUOTAS,
  });
  const nameless = limitedResources.findIndex(({ resource }) => resource === '');
  if (nameless >= 0) throw new Error(`limitedResources[${nameless}].resource must not be empty`);
  return limitedResources.map(({ apiGroup, resource, matchContains, matchScopes }) => ({
    group: apiGroup,
    resource,
    matchContains,
    matchScopes: matchScopes.map(({ scopeName, operator, values }) => ({
      scope: scopeName,
      operator,
      values,
    })),
  }));
}

const EVENTS = record({
  limits: list(record({ type: 'string', qps: 'integer', burst: 'integer', cacheSize: 'integer' })),
});

/** Reads how many events are accepted. @throws Error naming everything that is wrong */
export function readEventLimits(value: JsonObject, names: NamingProfile): readonly EventLimit[] {
  const { limits } = readConfigurationObject(value, {
    kind: 'Configuration',
    apiVersions: [`${names.get('config.event-rate-limit')}/v1alpha1`],
    shape: EVENTS,
  });
  if (limits.length === 0) throw new Error('limits must not be empty');
  const problems: string[] = [];
  const read = limits.flatMap(({ type: given, qps, burst, cacheSize }, i): EventLimit[] => {
    const path = `limits[${i}]`;
    const type = LIMIT_TYPES.find((one) => one === given);
    if (type === undefined) problems.push(`${path}.type must be one of ${LIMIT_TYPES.join(', ')}`);
    if (qps <= 0) problems.push(`${path}.qps must be more than 0`);
    if (burst <= 0) problems.push(`${path}.burst must be more than 0`);
    if (cacheSize < 0 && type !== 'Server') problems.push(`${path}.cacheSize must not be negative`);
    return type === undefined ? [] : [{ type, qps, burst, cacheSize: cacheSize || CACHE_SIZE }];
  });
  if (problems.length > 0) throw new Error(problems.join(', '));
  return read;
}
