import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { only } from '../only.ts';

/**
 * Lets pods that ask for devices onto nodes that are tainted for those who do.
 *
 * @param isExtended whether a resource is one that devices bring along
 */
export function extendedResourceToleration(isExtended: (name: string) => boolean): AdmissionPlugin {
  return {
    name: 'ExtendedResourceToleration',
    operations: ['CREATE', 'UPDATE'],
    concerns: only('pods'),
    mutate({ object, subresource }) {
      const spec = objectAt(object, 'spec');
      if (spec === undefined || subresource !== '') return;
      const names = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].flatMap(
        (container) => Object.keys(objectAt(objectAt(container, 'resources'), 'requests') ?? {}),
      );
      for (const key of [...new Set(names.filter(isExtended))].sort()) tolerate(spec, key);
    },
  };
}

function tolerate(spec: JsonObject, key: string): void {
  const wanted = { key, operator: 'Exists', effect: 'NoSchedule' };
  const isSuch = (toleration: JsonObject): boolean =>
    ['key', 'operator', 'effect', 'value'].every(
      (field) => textAt(toleration, field) === textAt(wanted, field),
    );
  const tolerations = objectsAt(spec, 'tolerations');
  const others = tolerations.filter((one) => !isSuch(one));
  if (others.length === tolerations.length) spec['tolerations'] = [...tolerations, wanted];
  else spec['tolerations'] = tolerations.map((one) => (isSuch(one) ? wanted : one));
}
