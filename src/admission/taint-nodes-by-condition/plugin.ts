import { objectAt, objectsAt } from '../../meta/fields.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { only } from '../only.ts';

/** Keeps work off new nodes until they are known to be ready. @param taint its key */
export function taintNodesByCondition(taint: string): AdmissionPlugin {
  return {
    name: 'TaintNodesByCondition',
    operations: ['CREATE'],
    concerns: only('nodes'),
    mutate({ object, subresource }) {
      if (object === undefined || subresource !== '') return;
      const spec = objectAt(object, 'spec') ?? {};
      const taints = objectsAt(spec, 'taints');
      if (taints.some(({ key, effect }) => key === taint && effect === 'NoSchedule')) return;
      spec['taints'] = [...taints, { key: taint, effect: 'NoSchedule' }];
      object['spec'] = spec;
    },
  };
}
