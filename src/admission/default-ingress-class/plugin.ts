import { objectAt } from '../../meta/fields.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { defaultOf, type DefaultableClass } from '../classes.ts';
import { ofGroup } from '../only.ts';

export interface DefaultIngressClassDependencies {
  /** The group of Ingresses. */
  readonly group: string;
  /** All IngressClasses, as of a moment ago. */
  readonly listClasses: (signal: AbortSignal) => Promise<readonly DefaultableClass[]>;
  /** The annotation that named the class before there was a field. */
  readonly classAnnotation: string;
}

/** Gives Ingresses that name no class the default one. */
export function defaultIngressClass({
  group,
  listClasses,
  classAnnotation,
}: DefaultIngressClassDependencies): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    operations: ['CREATE'],
    concerns: ofGroup(group, 'ingresses'),
    async mutate({ object, subresource, signal }) {
      const spec = objectAt(object, 'spec');
      if (spec === undefined || subresource !== '' || typeof spec['ingressClassName'] === 'string') return;
      if (object?.metadata.annotations?.[classAnnotation] !== undefined) return;
      const found = defaultOf(await listClasses(signal));
      if (found !== undefined) spec['ingressClassName'] = found.name;
    },
  };
}
