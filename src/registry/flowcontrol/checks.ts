import type { NamingProfile } from '../../names/profile.ts';
import type { TypeChecks } from '../../schema/rules/rule-book.ts';
import { flowSchemaSpec, flowSubject, nonResourceRule, policyRules, resourceRule } from './flow-schema.ts';
import { mandatoryCheck, type FlowControlSpecs } from './mandatory.ts';
import { priorityLevel, priorityLevelSpec } from './priority-level.ts';

/** Rules of flow-control configuration that data can't say. @param mandatory what the system can't do without. */
export function flowControlChecks(names: NamingProfile, mandatory: () => FlowControlSpecs): TypeChecks {
  return {
    'flowcontrol.FlowSchema': mandatoryCheck('FlowSchema', mandatory),
    'flowcontrol.FlowSchemaSpec': flowSchemaSpec,
    'flowcontrol.NonResourcePolicyRule': nonResourceRule,
    'flowcontrol.PolicyRulesWithSubjects': policyRules,
    'flowcontrol.PriorityLevelConfiguration': priorityLevel(names, mandatory),
    'flowcontrol.PriorityLevelConfigurationSpec': priorityLevelSpec,
    'flowcontrol.ResourcePolicyRule': resourceRule,
    'flowcontrol.Subject': flowSubject,
  };
}
