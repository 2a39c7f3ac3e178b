import type { NamingProfile } from '../names/profile.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { certificateSigningRequestHooks } from './certificatesigningrequest/hooks.ts';
import { componentStatusHooks, type ComponentCheck } from './componentstatus/hooks.ts';
import { configMapHooks } from './configmap/hooks.ts';
import { customResourceDefinitionHooks } from './customresourcedefinition/hooks.ts';
import { daemonSetHooks } from './daemonset/hooks.ts';
import { deploymentHooks } from './deployment/hooks.ts';
import { apiServiceHooks } from './apiservice/hooks.ts';
import { policyHooks } from './admissionpolicy/hooks.ts';
import { flowControlHooks } from './flowcontrol/hooks.ts';
import { endpointSliceHooks } from './endpointslice/hooks.ts';
import { eventHooks } from './event/hooks.ts';
import type { ResourceHooks } from './hooks.ts';
import { ingressHooks } from './ingress/hooks.ts';
import { autoscalerHooks } from './horizontalpodautoscaler/hooks.ts';
import { jobHooks } from './job/hooks.ts';
import { kindKey } from './kind-key.ts';
import { limitRangeHooks } from './limitrange/hooks.ts';
import { namespaceHooks } from './namespace/hooks.ts';
import { networkPolicyHooks } from './networkpolicy/hooks.ts';
import { nodeHooks } from './node/hooks.ts';
import { nodeRules } from './node/validate.ts';
import { leaseHooks } from './lease/hooks.ts';
import { persistentVolumeHooks } from './persistentvolume/hooks.ts';
import { persistentVolumeClaimHooks } from './persistentvolumeclaim/hooks.ts';
import { oldNodeLabels } from './old-node-labels.ts';
import { gatedFields } from './pod/gated-fields.ts';
import { bindingHooks, podHooks } from './pod/hooks.ts';
import { ANY_PODS, type PodSettings } from './pod/settings.ts';
import { withTemplate } from './pod/template-hooks.ts';
import { podWarnings } from './pod/warnings/warnings.ts';
import { resourceClaimHooks, resourceClaimTemplateHooks } from './resource/hooks.ts';
import { resourceNames } from './resource-names.ts';
import { resourceQuotaHooks } from './resourcequota/hooks.ts';
import { roleBindingHooks, roleHooks, type RoleGrants } from './rbac/hooks.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  subjectAccessReview,
} from './reviews/access-review.ts';
import type { Access, TokenQuestions } from './reviews/reviews.ts';
import { selfSubjectReview, selfSubjectRulesReview } from './reviews/self-reviews.ts';
import { tokenReview } from './reviews/token-review.ts';
import { secretHooks } from './secret/hooks.ts';
import { serviceHooks, type ServiceParts } from './service/hooks.ts';
import { runtimeClassHooks } from './runtimeclass/hooks.ts';
import { storageCapacityHooks, storageClassHooks } from './storage/hooks.ts';
import { migrationStatusErrors } from './storagemigration/validate.ts';
import { storageVersionStatusErrors } from './storageversion/validate.ts';
import { tokenRequest, type TokenRequests } from './serviceaccount/token-request.ts';
import { statusKeepsMetadata, statusKeepsOwnedMetadata, withStatusRules } from './status-metadata.ts';
import { GATED_FIELDS, withGatedFields } from './workload/gated-fields.ts';
import {
  cronJobHooks,
  csiDriverHooks,
  podTemplateHooks,
  priorityClassHooks,
  replicaSetHooks,
  replicationControllerHooks,
  statefulSetHooks,
} from './workload/hooks.ts';

const NONE: ResourceHooks = {};

function accessReviews(access: Access, names: NamingProfile): Record<string, ResourceHooks> {
  const parts = { access, explanation: names.get('annotation.access-explanation') };
  return {
    'authorization.LocalSubjectAccessReview': { review: localSubjectAccessReview(parts) },
    'authorization.SelfSubjectAccessReview': { review: selfSubjectAccessReview(parts) },
    'authorization.SelfSubjectRulesReview': { review: selfSubjectRulesReview(access) },
    'authorization.SubjectAccessReview': { review: subjectAccessReview(parts) },
  };
}

const IN_SPEC = ['spec', 'template'];

/** The kinds that have pod templates, and where. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'apps.DaemonSet': IN_SPEC,
  'apps.Deployment': IN_SPEC,
  'apps.ReplicaSet': IN_SPEC,
  'apps.StatefulSet': IN_SPEC,
  'batch.CronJob': ['spec', 'jobTemplate', ...IN_SPEC],
  'batch.Job': IN_SPEC,
  'core.PodTemplate': ['template'],
  'core.ReplicationController': IN_SPEC,
};

/** What hooks need of the rest of the server. */
export interface HooksParts {
  /** The programs that componentstatuses tell of. */
  readonly components?: readonly ComponentCheck[];
  /** What roles and bindings may be written; absent: any. */
  readonly grants?: RoleGrants;
  /** Who may do what, for those who ask; absent: nobody is told. */
  readonly access?: Access;
  /** Whose tokens are whose, for those who ask; absent: nobody is told. */
  readonly tokens?: TokenQuestions;
  /** How tokens for service accounts are made; absent: there are none. */
  readonly tokenRequests?: TokenRequests;
  /** What services are given out of; absent: they get no addresses. */
  readonly services?: ServiceParts;
  /** How the server is set up for pods; absent: they may have everything. */
  readonly pods?: PodSettings;
}

/** Finds what data can't say about a resource. Most resources have nothing: for them it is an empty object. */
export function createHooks(
  names: NamingProfile,
  { components = [], grants, access, tokens, tokenRequests, services, pods = ANY_PODS }: HooksParts = {},
): (resource: ResourceDefinition) => ResourceHooks {
  const inNamespaces = { names, grants, namespaced: true };
  const resources = resourceNames(names.get('prefix.resource'));
  const inCluster = { names, grants, namespaced: false };
  const rows = new Map<string, ResourceHooks>(
    Object.entries({
      'admissionregistration.ValidatingAdmissionPolicy': policyHooks,
      'apiextensions.CustomResourceDefinition': customResourceDefinitionHooks,
      'apiregistration.APIService': apiServiceHooks,
      'apiserverinternal.StorageVersion': withStatusRules(storageVersionStatusErrors),
      'apps.DaemonSet': daemonSetHooks,
      'apps.Deployment': deploymentHooks,
      'apps.ReplicaSet': replicaSetHooks,
      'apps.StatefulSet': statefulSetHooks,
      'authentication.SelfSubjectReview': { review: selfSubjectReview },
      ...(tokens === undefined ? {} : { 'authentication.TokenReview': { review: tokenReview(tokens) } }),
      ...(access === undefined ? {} : accessReviews(access, names)),
      'autoscaling.HorizontalPodAutoscaler': autoscalerHooks(names),
      'batch.CronJob': cronJobHooks,
      'batch.Job': jobHooks(names),
      'certificates.CertificateSigningRequest': certificateSigningRequestHooks(names),
      'core.Binding': bindingHooks,
      'core.ComponentStatus': componentStatusHooks(components),
      'coordination.Lease': leaseHooks(pods.gate('CoordinatedLeaderElection')),
      'core.ConfigMap': configMapHooks,
      'core.Event': eventHooks,
      'core.LimitRange': limitRangeHooks(resources),
      'core.Namespace': namespaceHooks(names),
      'core.Node': nodeHooks(nodeRules(names)),
      'core.PersistentVolume': persistentVolumeHooks(names),
      'core.PersistentVolumeClaim': persistentVolumeClaimHooks(names),
      'core.Pod': podHooks(names, pods),
      'core.PodTemplate': podTemplateHooks,
      'core.ReplicationController': replicationControllerHooks,
      'core.ResourceQuota': resourceQuotaHooks(resources),
      'core.Secret': secretHooks(names),
      'core.Service': serviceHooks(names, services),
      ...(tokenRequests === undefined
        ? {}
        : { 'core.ServiceAccount': { creates: { token: tokenRequest(tokenRequests) } } }),
      'flowcontrol.FlowSchema': flowControlHooks,
      'flowcontrol.PriorityLevelConfiguration': flowControlHooks,
      'discovery.EndpointSlice': endpointSliceHooks(names),
      'networking.Ingress': ingressHooks(names),
      'networking.NetworkPolicy': networkPolicyHooks,
      'networking.ServiceCIDR': statusKeepsOwnedMetadata,
      'node.RuntimeClass': runtimeClassHooks(names),
      'rbac.ClusterRole': roleHooks(inCluster),
      'rbac.ClusterRoleBinding': roleBindingHooks(inCluster),
      'rbac.Role': roleHooks(inNamespaces),
      'rbac.RoleBinding': roleBindingHooks(inNamespaces),
      'resource.ResourceClaim': resourceClaimHooks,
      'resource.ResourceClaimTemplate': resourceClaimTemplateHooks,
      'scheduling.PriorityClass': priorityClassHooks,
      'storage.CSIDriver': csiDriverHooks,
      'storage.CSIStorageCapacity': storageCapacityHooks(oldNodeLabels(names)),
      'storage.StorageClass': storageClassHooks(oldNodeLabels(names)),
      'storage.VolumeAttachment': statusKeepsMetadata,
      'storagemigration.StorageVersionMigration': withStatusRules(migrationStatusErrors),
    }),
  );
  for (const [kind, fields] of Object.entries(GATED_FIELDS))
    rows.set(kind, withGatedFields(rows.get(kind) ?? NONE, fields, pods));
  const templateParts = {
    dropGated: gatedFields(pods),
    warningsOf: podWarnings(names, oldNodeLabels(names)),
  };
  for (const [kind, path] of Object.entries(TEMPLATES))
    rows.set(kind, withTemplate(rows.get(kind) ?? NONE, path, templateParts));
  const found = new WeakMap<ResourceDefinition, ResourceHooks>();
  return function hooksOf(resource) {
    let hooks = found.get(resource);
    if (hooks === undefined) {
      hooks = rows.get(kindKey(resource) ?? '') ?? NONE;
      found.set(resource, hooks);
    }
    return hooks;
  };
}
