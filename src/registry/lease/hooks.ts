import { objectAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../hooks.ts';

/** Fields of elections that are coordinated. */
const GATED = ['strategy', 'preferredHolder'];

/** Where the gate is off, only leases that have a field already keep it. */
function dropGated(lease: ApiObject, old?: ApiObject): void {
  const spec = objectAt(lease, 'spec');
  const before = objectAt(old, 'spec');
  for (const field of GATED)
    if (spec?.[field] !== undefined && before?.[field] === undefined) delete spec[field];
}

/** Leases. @param coordinates whether elections may be coordinated */
export function leaseHooks(coordinates: boolean): ResourceHooks {
  return coordinates ? {} : { prepareForCreate: (lease) => dropGated(lease), prepareForUpdate: dropGated };
}
