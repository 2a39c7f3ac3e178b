import type { TypeChecks } from '../../schema/rules/rule-book.ts';
import type { CheckerSource } from '../expression-rules.ts';
import { inTurn } from '../in-turn.ts';
import { namedRuleWithOperations, ruleWithOperations } from '../webhookconfiguration/rules.ts';
import { webhookConfiguration } from '../webhookconfiguration/validate.ts';
import { matchConditionExpression, policyExpressions } from './compile.ts';
import { paramKind, paramRef, policyBindingSpec, policySpec } from './validate.ts';

/** Rules of webhook configurations and admission policies that data can't say. */
export function admissionChecks(checker: CheckerSource): TypeChecks {
  return {
    'admissionregistration.MatchCondition': matchConditionExpression(checker),
    'admissionregistration.MutatingWebhookConfiguration': webhookConfiguration,
    'admissionregistration.NamedRuleWithOperations': namedRuleWithOperations,
    'admissionregistration.ParamKind': paramKind,
    'admissionregistration.ParamRef': paramRef,
    'admissionregistration.RuleWithOperations': ruleWithOperations,
    'admissionregistration.ValidatingAdmissionPolicyBindingSpec': policyBindingSpec,
    'admissionregistration.ValidatingAdmissionPolicySpec': inTurn(policySpec, policyExpressions(checker)),
    'admissionregistration.ValidatingWebhookConfiguration': webhookConfiguration,
  };
}
