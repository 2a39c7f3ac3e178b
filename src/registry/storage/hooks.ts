import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { ResourceHooks } from '../hooks.ts';
import { selectorWarnings } from '../node/label-warnings.ts';
import type { OldLabels } from '../old-node-labels.ts';

/** StorageClasses warn of places that are named by old labels of nodes. */
export function storageClassHooks(labels: OldLabels): ResourceHooks {
  return {
    warnings: (storageClass) =>
      objectsAt(storageClass, 'allowedTopologies').flatMap((topology, i) =>
        objectsAt(topology, 'matchLabelExpressions').flatMap((expression, j) => {
          const key = textAt(expression, 'key');
          const why = labels.get(key);
          const place = `allowedTopologies[${i}].matchLabelExpressions[${j}].key`;
          return why === undefined ? [] : [`${place}: ${key} is ${why}`];
        }),
      ),
  };
}

/** CSIStorageCapacities do so as well. */
export function storageCapacityHooks(labels: OldLabels): ResourceHooks {
  return {
    warnings: (object) => selectorWarnings(objectAt(object, 'nodeTopology'), 'nodeTopology', labels),
  };
}

/** CSIDrivers: only changes are counted, from none on. */
export const csiDriverHooks: ResourceHooks = {
  prepareForUpdate({ metadata, spec }, old) {
    if (!sameJson(spec, old.spec)) metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
};
