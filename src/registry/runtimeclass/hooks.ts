import { objectAt } from '../../meta/fields.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceHooks } from '../hooks.ts';
import { oldNodeLabels } from '../old-node-labels.ts';

/** RuntimeClasses: warnings about old labels of nodes. */
export function runtimeClassHooks(names: NamingProfile): ResourceHooks {
  const labels = oldNodeLabels(names);
  return {
    warnings: (object) =>
      Object.keys(objectAt(objectAt(object, 'scheduling'), 'nodeSelector') ?? {}).flatMap((label) => {
        const why = labels.get(label);
        return why === undefined ? [] : [`scheduling.nodeSelector: ${why}`];
      }),
  };
}
