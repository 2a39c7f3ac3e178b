import { objectAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../hooks.ts';

/** Fields of elections that are coordinated, which is behind a gate: only leases that have them already keep them. */
const GATED = ['strategy', 'preferredHolder'];

function dropGated(lease: ApiObject, old?: ApiObject): void {
  const spec = objectAt(lease, 'spec');
  const before = objectAt(old, 'spec');
  if (spec === undefined || GATED.some((field) => before?.[field] !== undefined)) return;
  for (const field of GATED) if (spec[field] !== undefined) delete spec[field];
}

/** Leases. */
export const leaseHooks: ResourceHooks = {
  prepareForCreate: (lease) => dropGated(lease),
  prepareForUpdate: dropGated,
};
