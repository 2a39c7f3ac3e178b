import { invalid } from '../../errors/field-error.ts';
import { objectAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import type { ResourceHooks } from '../hooks.ts';
import { ingressStatusErrors } from './validate.ts';

function className(ingress: JsonObject): unknown {
  return objectAt(ingress, 'spec')?.['ingressClassName'] ?? undefined;
}

/** Ingresses: the annotation that named the class before there was a field for it. */
export function ingressHooks(names: NamingProfile): ResourceHooks {
  const annotation = names.get('annotation.ingress-class');
  return {
    warnings(ingress, old) {
      const isUsed = old === undefined && ingress.metadata.annotations?.[annotation] !== undefined;
      if (!isUsed || className(ingress) !== undefined) return [];
      return [`annotation "${annotation}" is deprecated, please use 'spec.ingressClassName' instead`];
    },
    status: { prepareForUpdate: () => undefined, validateUpdate: ingressStatusErrors },
  };
}

/** A new Ingress doesn't name two classes. */
export function ingressCheck(names: NamingProfile): TypeCheck {
  const annotation = names.get('annotation.ingress-class');
  return (ingress, at, { root, old, errors }) => {
    const before = root.metadata.annotations?.[annotation];
    const name = className(ingress);
    if (old !== undefined || before === undefined || name === undefined || name === before) return;
    const path = at.child('annotations').child(annotation);
    errors.push(invalid(path, before, 'must be spec.ingressClassName, where both are there'));
  };
}
