import { Pacer } from '../../lib/pacer.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { keepWhileUsed } from './protect.ts';
import { whenChanged } from './when-changed.ts';

/** Keeps PersistentVolumeClaims that pods on nodes use. */
export const claimProtection: Controller = {
  name: 'persistentvolumeclaim-protection-controller',
  start: protectClaims,
};

function protectClaims(parts: ControllerParts): RunningController {
  /** What ends waiting for the pod that uses a claim, by the claim. */
  const waiting = new Map<string, () => void>();
  const forget = (key: string): void => {
    waiting.get(key)?.();
    waiting.delete(key);
  };
  const pods = rowOf(parts.schemas, ['', 'v1', 'pods']);
  const protection = keepWhileUsed(parts, {
    row: rowOf(parts.schemas, ['', 'v1', 'persistentvolumeclaims']),
    finalizer: parts.names.get('finalizer.pvc-protection'),
    async isUsed(claim, again) {
      const { namespace = '', name = '' } = claim.metadata;
      const key = `${namespace}/${name}`;
      forget(key);
      const { entries, revision } = await parts.store.list({
        ...{ resource: pods, namespace, at: { at: 'latest' } },
        filter: { matches: (pod) => pod.field('spec.nodeName') !== '' },
      });
      const pacer = new Pacer();
      for (const entry of entries) {
        if (pacer.due()) await pacer.rest();
        if (!usesClaim(entry.object(), claim)) continue;
        const pod = { resource: pods, namespace, name: entry.name };
        waiting.set(key, whenChanged(parts.store, { ...pod, revision }, again));
        return true;
      }
      return false;
    },
    forget,
  });
  return {
    close() {
      protection.close();
      for (const stop of waiting.values()) stop();
    },
  };
}

/** Whether a pod, which is on a node, has a volume of a claim. */
export function usesClaim(pod: ApiObject, claim: ApiObject): boolean {
  const { name } = claim.metadata;
  return objectsAt(objectAt(pod, 'spec'), 'volumes').some((volume) => {
    const source = objectAt(volume, 'persistentVolumeClaim');
    if (source !== undefined) return textAt(source, 'claimName') === name;
    const isOwn = volume['ephemeral'] != null && `${pod.metadata.name}-${textAt(volume, 'name')}` === name;
    return isOwn && !isShutDown(pod) && isControlledBy(claim, pod);
  });
}

/** Nothing of it runs any more, though it is there still. */
function isShutDown({ metadata }: ApiObject): boolean {
  return metadata.deletionTimestamp != null && metadata.deletionGracePeriodSeconds === 0;
}

function isControlledBy(claim: ApiObject, pod: ApiObject): boolean {
  const references = claim.metadata.ownerReferences ?? [];
  return references.some(({ controller, uid }) => controller === true && uid === pod.metadata.uid);
}
