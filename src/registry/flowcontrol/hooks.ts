import type { ResourceHooks } from '../hooks.ts';
import { statusKeepsMetadata } from '../status-metadata.ts';
import { flowConditionErrors } from './conditions.ts';

/** FlowSchemas and PriorityLevelConfigurations. */
export const flowControlHooks: ResourceHooks = {
  status: {
    prepareForUpdate: () => undefined,
    ...statusKeepsMetadata.status,
    validateUpdate: flowConditionErrors,
  },
};
