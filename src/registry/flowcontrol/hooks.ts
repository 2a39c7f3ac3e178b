import { withStatusRules } from '../status-metadata.ts';
import { flowConditionErrors } from './conditions.ts';

/** FlowSchemas and PriorityLevelConfigurations. */
export const flowControlHooks = withStatusRules(flowConditionErrors);
