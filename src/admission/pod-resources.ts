import { objectAt, objectsAt, textAt } from '../meta/fields.ts';
import type { JsonObject } from '../meta/object.ts';
import type { Quantity } from '../meta/quantity.ts';
import { addResources, raiseResources, readResources, type ResourceList } from '../meta/resource-list.ts';

/**
 * What a pod asks for, or may use, as a whole: the sum over its containers, and at least what its init containers need
 * when it is their turn. Init containers that go on running count beside all that come after them.
 *
 * @param spec of the pod.
 */
export function podResources(
  spec: JsonObject | undefined,
  which: 'requests' | 'limits',
): Map<string, Quantity> {
  const sums = new Map<string, Quantity>();
  for (const container of objectsAt(spec, 'containers'))
    addResources(sums, containerResources(container, which));
  const highest = new Map<string, Quantity>();
  const running = new Map<string, Quantity>();
  for (const container of objectsAt(spec, 'initContainers')) {
    const own = containerResources(container, which);
    if (container['restartPolicy'] === 'Always') {
      addResources(sums, own);
      addResources(running, own);
      raiseResources(highest, running);
    } else {
      const together = new Map(own);
      addResources(together, running);
      raiseResources(highest, together);
    }
  }
  raiseResources(sums, highest);
  return sums;
}

/** What one container asks for, or may use. */
export function containerResources(container: JsonObject, which: 'requests' | 'limits'): ResourceList {
  return readResources(objectAt(container, 'resources'), which);
}

/** Whether a pod asks for no CPU and no memory: as its status says, or else its containers. */
export function isBestEffort(pod: JsonObject): boolean {
  const known = textAt(objectAt(pod, 'status'), 'qosClass');
  if (known !== '') return known === 'BestEffort';
  const spec = objectAt(pod, 'spec');
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  return !containers.some((container) => {
    const resources = objectAt(container, 'resources');
    return ['requests', 'limits'].some((field) =>
      ['cpu', 'memory'].some((name) => !['', '0'].includes(textAt(objectAt(resources, field), name))),
    );
  });
}
