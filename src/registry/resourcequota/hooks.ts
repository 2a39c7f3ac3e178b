import { objectAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import type { ResourceNames } from '../resource-names.ts';
import { scopesChangeErrors, specErrors, statusErrors } from './validate.ts';

/** ResourceQuotas: what a namespace may use of what. */
export function resourceQuotaHooks(names: ResourceNames): ResourceHooks {
  return {
    validate: (quota) => specErrors(objectAt(quota, 'spec'), names),
    validateUpdate: (quota, old) => scopesChangeErrors(objectAt(quota, 'spec'), objectAt(old, 'spec')),
    status: {
      prepareForUpdate: () => undefined,
      validateUpdate: (quota) => statusErrors(objectAt(quota, 'status'), names),
    },
  };
}
