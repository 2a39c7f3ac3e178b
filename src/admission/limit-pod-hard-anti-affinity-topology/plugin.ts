import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';

/** Lets pods keep others off their node, and off nothing larger. @param hostname the label that tells nodes apart */
export function limitPodHardAntiAffinityTopology(hostname: string): AdmissionPlugin {
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    operations: ['CREATE', 'UPDATE'],
    concerns: only('pods'),
    validate(request) {
      if (request.subresource !== '') return;
      const rules = objectAt(objectAt(objectAt(request.object, 'spec'), 'affinity'), 'podAntiAffinity');
      const terms = objectsAt(rules, 'requiredDuringSchedulingIgnoredDuringExecution');
      const other = terms.map((term) => textAt(term, 'topologyKey')).find((key) => key !== hostname);
      if (other === undefined) return;
      const field = 'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution';
      throw refused(request, `the topologyKey of ${field} may be ${hostname}, not ${other}`);
    },
  };
}
