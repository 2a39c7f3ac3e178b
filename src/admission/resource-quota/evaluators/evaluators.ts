import type { NamingProfile } from '../../../names/profile.ts';
import type { ResourceDefinition } from '../../../schema/model.ts';
import { deviceClaims } from './device-claims.ts';
import { countName, objectCount, type QuotaEvaluator } from './evaluator.ts';
import { pods } from './pods.ts';
import { services } from './services.ts';
import { volumeClaims } from './volume-claims.ts';

/** Finds who knows what the objects of a resource use; undefined where quotas have nothing to do with it. */
export type EvaluatorOf = (
  resource: Pick<ResourceDefinition, 'group' | 'resource' | 'storage'>,
) => QuotaEvaluator | undefined;

/** Resources of the core group that quotas also count by their plain names. */
const COUNTED_BY_NAME = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

/**
 * All there are: whatever is stored can be counted, but events.
 *
 * @param devices whether claims of devices are measured (gate DynamicResourceAllocation)
 */
export function quotaEvaluators(names: NamingProfile, devices: boolean): EvaluatorOf {
  const claims = { group: names.get('group.resource'), resource: 'resourceclaims' };
  const special = new Map<string, QuotaEvaluator>([
    ['count/pods', pods(names.get('prefix.resource'))],
    ['count/services', services],
    [
      'count/persistentvolumeclaims',
      volumeClaims({
        storageSuffix: names.get('suffix.storage-class-requests'),
        claimsSuffix: names.get('suffix.storage-class-claims'),
        classAnnotation: names.get('storage.class-beta'),
      }),
    ],
    ...COUNTED_BY_NAME.map((resource): [string, QuotaEvaluator] => [
      `count/${resource}`,
      objectCount([`count/${resource}`, resource]),
    ]),
  ]);
  if (devices)
    special.set(countName(claims), deviceClaims(countName(claims), names.get('suffix.device-class-devices')));
  const uncounted = new Set(
    ['', names.get('group.events')].map((group) => countName({ group, resource: 'events' })),
  );
  return function evaluatorOf(resource) {
    const name = countName(resource);
    if (resource.storage === undefined || uncounted.has(name)) return undefined;
    let evaluator = special.get(name);
    if (evaluator === undefined) {
      evaluator = objectCount([name]);
      special.set(name, evaluator);
    }
    return evaluator;
  };
}
