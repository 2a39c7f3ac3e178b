import type { NamingProfile } from '../names/profile.ts';
import type { TypeChecks } from '../schema/rules/rule-book.ts';
import { CRON_JOB_CHECKS } from './cronjob/validate.ts';
import { autoscalerChecks } from './horizontalpodautoscaler/validate.ts';
import { admissionChecks } from './admissionpolicy/checks.ts';
import { apiService } from './apiservice/validate.ts';
import { definitionCheck } from './customresourcedefinition/validate.ts';
import { coreEventCheck, eventCheck } from './event/validate.ts';
import type { CheckerSource } from './expression-rules.ts';
import { flowControlChecks } from './flowcontrol/checks.ts';
import type { FlowControlSpecs } from './flowcontrol/mandatory.ts';
import { endpointAddress, endpointSubset } from './endpoints/validate.ts';
import { endpointHints, endpointSlice, endpointSlicePort } from './endpointslice/validate.ts';
import { inTurn } from './in-turn.ts';
import { ingressCheck } from './ingress/hooks.ts';
import { ingressSpec } from './ingress/validate.ts';
import { ingressClassParameters } from './ingressclass/validate.ts';
import { ipAddressSpec } from './ipaddress/validate.ts';
import { jobChecks } from './job/validate.ts';
import { labelSelectorCheck } from './label-selector-rules.ts';
import {
  ipBlock,
  networkPolicyPeer,
  networkPolicyPort,
  networkPolicySpec,
} from './networkpolicy/validate.ts';
import { nodeRules } from './node/validate.ts';
import { serviceCidrSpec } from './servicecidr/validate.ts';
import type { PodSettings } from './pod/settings.ts';
import { sourceChecks } from './persistentvolume/sources.ts';
import { persistentVolumeCheck } from './persistentvolume/validate.ts';
import { claimCheck, claimTemplate } from './persistentvolumeclaim/validate.ts';
import { leaseCandidateSpec, leaseSpec } from './lease/validate.ts';
import { resourceChecks } from './resource/checks.ts';
import { resourceNames } from './resource-names.ts';
import { runtimeClassCheck, runtimeScheduling } from './runtimeclass/validate.ts';
import { priorityClass } from './scheduling/validate.ts';
import { clusterTrustBundle } from './clustertrustbundle/validate.ts';
import { storageVersionMigration } from './storagemigration/validate.ts';
import { storageVersion } from './storageversion/validate.ts';
import { storageChecks } from './storage/validate.ts';
import { podChecks } from './pod/validate/checks.ts';
import { claimTemplateMetadata } from './pod/validate/metadata.ts';
import { BUDGET_CHECKS } from './poddisruptionbudget/validate.ts';
import { workloadChecks } from './workload/validate.ts';

/** What checks need of the rest of the server. */
export interface TypeCheckParts {
  readonly pods: PodSettings;
  /** The flow-control configuration that the system can't do without. Read when the first of it is written. */
  readonly flowControl: () => FlowControlSpecs;
  /** Checks expressions, for kinds of {@link KINDS_WITH_EXPRESSIONS} once it is loaded. */
  readonly expressions: CheckerSource;
}

/** Kinds that may hold expressions. */
export const KINDS_WITH_EXPRESSIONS: readonly string[] = [
  'admissionregistration.MutatingWebhookConfiguration',
  'admissionregistration.ValidatingAdmissionPolicy',
  'admissionregistration.ValidatingWebhookConfiguration',
  'resource.DeviceClass',
  'resource.ResourceClaim',
  'resource.ResourceClaimTemplate',
];

/** The rules of types that data can't say, by type. A kind's own are in its folder. */
export function createTypeChecks(names: NamingProfile, parts: TypeCheckParts): TypeChecks {
  const reserved = [names.get('domain.labels'), names.get('domain.groups')];
  return {
    ...autoscalerChecks(names, parts.pods),
    ...BUDGET_CHECKS,
    ...CRON_JOB_CHECKS,
    ...jobChecks(names),
    ...workloadChecks(names),
    ...podChecks(names, parts.pods),
    ...admissionChecks(parts.expressions),
    ...flowControlChecks(names, parts.flowControl),
    ...sourceChecks(reserved),
    ...resourceChecks(parts.expressions),
    ...storageChecks,
    'coordination.LeaseCandidateSpec': leaseCandidateSpec,
    'coordination.LeaseSpec': leaseSpec,
    'apiextensions.CustomResourceDefinition': definitionCheck(names),
    'apiregistration.APIService': apiService,
    'apiserverinternal.StorageVersion': storageVersion,
    'certificates.ClusterTrustBundle': clusterTrustBundle,
    'core.Event': coreEventCheck(names),
    'core.Node': nodeRules(names).check,
    'core.PersistentVolume': persistentVolumeCheck(names),
    'core.PersistentVolumeClaim': claimCheck(names),
    'core.PersistentVolumeClaimTemplate': inTurn(claimTemplateMetadata, claimTemplate),
    'events.Event': eventCheck(names),
    'core.EndpointAddress': endpointAddress,
    'core.EndpointSubset': endpointSubset,
    'discovery.EndpointHints': endpointHints,
    'discovery.EndpointPort': endpointSlicePort,
    'discovery.EndpointSlice': endpointSlice,
    'meta.LabelSelector': labelSelectorCheck,
    'networking.IPBlock': ipBlock,
    'networking.Ingress': ingressCheck(names),
    'networking.IngressClassParametersReference': ingressClassParameters,
    'networking.IngressSpec': ingressSpec,
    'networking.IPAddressSpec': ipAddressSpec,
    'networking.NetworkPolicyPeer': networkPolicyPeer,
    'networking.NetworkPolicyPort': networkPolicyPort,
    'networking.NetworkPolicySpec': networkPolicySpec,
    'node.RuntimeClass': runtimeClassCheck(resourceNames(names.get('prefix.resource'))),
    'node.Scheduling': runtimeScheduling,
    'scheduling.PriorityClass': priorityClass,
    'networking.ServiceCIDRSpec': serviceCidrSpec,
    'storagemigration.StorageVersionMigration': storageVersionMigration,
  };
}
