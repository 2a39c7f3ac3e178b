import type { NamingProfile } from '../names/profile.ts';
import type { TypeCheck, TypeChecks } from '../schema/rules/rule-book.ts';
import { CRON_JOB_CHECKS } from './cronjob/validate.ts';
import { autoscalerChecks } from './horizontalpodautoscaler/validate.ts';
import { ingressCheck } from './ingress/hooks.ts';
import { ingressSpec } from './ingress/validate.ts';
import { ingressClassParameters } from './ingressclass/validate.ts';
import { jobChecks } from './job/validate.ts';
import { labelSelectorErrors } from './label-selector-rules.ts';
import {
  ipBlock,
  networkPolicyPeer,
  networkPolicyPort,
  networkPolicySpec,
} from './networkpolicy/validate.ts';
import { nodeRules } from './node/validate.ts';
import type { PodSettings } from './pod/settings.ts';
import { podChecks } from './pod/validate/checks.ts';
import { BUDGET_CHECKS } from './poddisruptionbudget/validate.ts';
import { workloadChecks } from './workload/validate.ts';

/** Label selectors, wherever an object has one. */
const labelSelector: TypeCheck = (selector, at, { errors }) => {
  errors.push(...labelSelectorErrors(selector, String(at)));
};

/** The rules of types that data can't say, by type. A kind's own are in its folder. */
export function createTypeChecks(names: NamingProfile, settings: PodSettings): TypeChecks {
  return {
    ...autoscalerChecks(names, settings),
    ...BUDGET_CHECKS,
    ...CRON_JOB_CHECKS,
    ...jobChecks(names),
    ...workloadChecks(names),
    ...podChecks(names, settings),
    'core.Node': nodeRules(names).check,
    'meta.LabelSelector': labelSelector,
    'networking.IPBlock': ipBlock,
    'networking.Ingress': ingressCheck(names),
    'networking.IngressClassParametersReference': ingressClassParameters,
    'networking.IngressSpec': ingressSpec,
    'networking.NetworkPolicyPeer': networkPolicyPeer,
    'networking.NetworkPolicyPort': networkPolicyPort,
    'networking.NetworkPolicySpec': networkPolicySpec,
  };
}
