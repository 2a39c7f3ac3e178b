import { formatTime } from '../../lib/rfc3339.ts';
import { objectAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { statusKeepsMetadata } from '../status-metadata.ts';
import { apiServiceStatusErrors } from './validate.ts';

/** APIServices. One without a service is served here, and available. */
export const apiServiceHooks: ResourceHooks = {
  prepareForCreate(object, { now }) {
    if (objectAt(objectAt(object, 'spec'), 'service') !== undefined) return;
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: formatTime(now),
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    object['status'] = { conditions: [condition] };
  },
  status: {
    prepareForUpdate: () => undefined,
    ...statusKeepsMetadata.status,
    validateUpdate: apiServiceStatusErrors,
  },
};
