import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { only } from '../only.ts';
import type { AdmissionPlugin } from '../admission.ts';

/** A taint of nodes, and how long pods put up with it. */
export interface ToleratedTaint {
  readonly taint: string;
  readonly seconds: number;
}

/** Lets pods stay for a while on nodes with a taint, unless they say themselves what they make of it. */
export function defaultTolerationSeconds(taints: readonly ToleratedTaint[]): AdmissionPlugin {
  return {
    name: 'DefaultTolerationSeconds',
    operations: ['CREATE', 'UPDATE'],
    concerns: only('pods'),
    mutate({ resource, subresource, object }) {
      if (resource.group === '' && resource.resource === 'pods' && subresource === '')
        addTolerations(objectAt(object, 'spec'), taints);
      return Promise.resolve();
    },
  };
}

function addTolerations(spec: JsonObject | undefined, taints: readonly ToleratedTaint[]): void {
  if (spec === undefined) return;
  const given = objectsAt(spec, 'tolerations');
  const added = taints
    .filter(({ taint }) => !given.some((toleration) => speaksOf(toleration, taint)))
    .map(({ taint, seconds }) => ({
      key: taint,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: seconds,
    }));
  if (added.length > 0) spec['tolerations'] = [...given, ...added];
}

/** Whether a toleration is about this taint's ending of pods; one without a key is about all. */
function speaksOf(toleration: JsonObject, taint: string): boolean {
  const key = textAt(toleration, 'key');
  const effect = textAt(toleration, 'effect');
  return (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
}
