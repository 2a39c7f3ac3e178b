import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../hooks.ts';
import { statusKeepsOwnedMetadata } from '../status-metadata.ts';
import { claimStatusErrors } from './claim-status.ts';

/** Who doesn't say how many devices they want wants one. */
function defaultRequests(spec: JsonObject | undefined): void {
  for (const request of objectsAt(objectAt(spec, 'devices'), 'requests')) {
    if (textAt(request, 'allocationMode') === '') request['allocationMode'] = 'ExactCount';
    if (request['allocationMode'] === 'ExactCount' && numberAt(request, 'count') === 0) request['count'] = 1;
  }
}

/** ResourceClaims. */
export const resourceClaimHooks: ResourceHooks = {
  defaults: (claim) => defaultRequests(objectAt(claim, 'spec')),
  status: {
    prepareForUpdate: () => undefined,
    ...statusKeepsOwnedMetadata.status,
    validateUpdate: claimStatusErrors,
  },
};

/** Templates of them. */
export const resourceClaimTemplateHooks: ResourceHooks = {
  defaults: (template) => defaultRequests(objectAt(objectAt(template, 'spec'), 'spec')),
};
