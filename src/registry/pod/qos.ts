import type { JsonObject } from '../../meta/object.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';

const COUNTED = ['cpu', 'memory'] as const;

/**
 * A pod's quality of service: Guaranteed when every container's limits for CPU and memory are set and equal its
 * requests, BestEffort when nothing is set, else Burstable.
 */
export function qosClass(pod: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const spec = objectAt(pod, 'spec');
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  let anything = false;
  let guaranteed = containers.length > 0;
  for (const container of containers) {
    const resources = objectAt(container, 'resources');
    const requests = objectAt(resources, 'requests');
    const limits = objectAt(resources, 'limits');
    for (const resource of COUNTED) {
      const request = amount(requests, resource);
      const limit = amount(limits, resource);
      if (request !== '' || limit !== '') anything = true;
      if (limit === '' || request !== limit) guaranteed = false;
    }
  }
  if (!anything) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** A quantity in its canonical form; '' for none and for zero. */
function amount(list: JsonObject | undefined, resource: string): string {
  const text = textAt(list, resource);
  return text === '0' ? '' : text;
}
