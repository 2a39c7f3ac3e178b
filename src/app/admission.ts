import { createAdmission, type Admission, type AdmissionPlugin } from '../admission/admission.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
} from '../admission/certificates/plugins.ts';
import { requireSigner, type MayDo } from '../admission/certificates/signer-access.ts';
import { defaultTolerationSeconds } from '../admission/default-toleration-seconds/plugin.ts';
import { readLimitRange } from '../admission/limit-ranger/limit-range.ts';
import { limitRanger } from '../admission/limit-ranger/plugin.ts';
import { namespaceLifecycle } from '../admission/namespace-lifecycle/plugin.ts';
import { nodeRestriction } from '../admission/node-restriction/plugin.ts';
import { choosePlugins } from '../admission/order.ts';
import { priority } from '../admission/priority/plugin.ts';
import { quotaEvaluators } from '../admission/resource-quota/evaluators/evaluators.ts';
import { resourceQuota } from '../admission/resource-quota/plugin.ts';
import { serviceAccount } from '../admission/service-account/plugin.ts';
import { podReferences } from '../authz/node/pod-references.ts';
import type { ApiObject } from '../meta/object.ts';
import { listIn, listSurely } from './admission-lists.ts';
import { StoredQuotas } from './admission-quotas.ts';
import { classPlugins } from './admission-classes.ts';
import { optionalPlugins } from './admission-optional.ts';
import type { AdmissionParts } from './admission-parts.ts';
import { AdmissionReads } from './admission-reads.ts';
import { findObject } from './late-objects.ts';
import { podSecurityOf } from './admission-pod-security.ts';

/** Opens admission: the plugins that run by default, as the flags change them. */
export function openAdmission(parts: AdmissionParts): Admission {
  return createAdmission(
    choosePlugins(plugins(parts), parts.config.admission),
    parts.admissionObservers.chain,
  );
}

/** The plugins that there are. A new one is a line here; its place and default are data of `admission/order.ts`. */
function plugins(parts: AdmissionParts): readonly AdmissionPlugin[] {
  const { config, names, schemas, store, clock, random } = parts;
  const reads = new AdmissionReads(store);
  const row = (group: string, resource: string) => schemas.resource(group, 'v1', resource);
  const scheduling = names.get('group.scheduling');
  const { notReadySeconds, unreachableSeconds } = config.admission;
  return [
    ...certificatePlugins(parts),
    nodeRestriction({
      names,
      find: (what) => findObject(parts, what),
      referredKinds: kindsNamedBy,
      expandsVolumes: config.gates.enabled('RecoverVolumeExpansionFailure'),
    }),
    namespaceLifecycle({
      getNamespace: (name, freshness, signal) =>
        reads.namespace(row('', 'namespaces'), name, { freshness, signal }),
      immortal: new Set(['default', names.get('namespace.system'), names.get('namespace.public')]),
    }),
    limitRanger({
      listRanges: listSurely(
        listIn({ store, resource: row('', 'limitranges'), read: readLimitRange }),
        clock,
      ),
      annotation: names.get('annotation.limit-ranger'),
    }),
    serviceAccount({
      getAccount: (account, freshness, signal) =>
        reads.account({ ...account, resource: row('', 'serviceaccounts') }, freshness, signal),
      usesSecrets: (pod) => kindsNamedBy(pod).includes('secret'),
      names,
      random,
    }),
    priority({
      group: scheduling,
      listClasses: (freshness, signal) =>
        reads.priorityClasses(row(scheduling, 'priorityclasses'), freshness, signal),
    }),
    defaultTolerationSeconds([
      { taint: names.get('taint.not-ready'), seconds: notReadySeconds },
      { taint: names.get('taint.unreachable'), seconds: unreachableSeconds },
    ]),
    podSecurityOf(parts, reads),
    ...classPlugins(parts, reads),
    ...optionalPlugins(parts, reads),
    resourceQuota({
      evaluatorOf: quotaEvaluators(names, config.gates.enabled('DynamicResourceAllocation')),
      quotas: new StoredQuotas({ store, resource: row('', 'resourcequotas'), server: parts.server }),
      limited: parts.admissionSettings.limitedResources,
      clock,
    }),
  ];
}

/** Mirror pods are looked at like all others. */
const NO_ANNOTATION = '';

function kindsNamedBy(pod: ApiObject): string[] {
  return podReferences(pod, NO_ANNOTATION).map(({ type }) => type);
}

function certificatePlugins({ names, authorize }: AdmissionParts): readonly AdmissionPlugin[] {
  const group = names.get('group.certificates');
  const mayDo: MayDo = async (user, info) => (await authorize({ user, info })).verdict === 'allow';
  const signers = requireSigner(mayDo, group);
  return [
    certificateApproval(group, signers),
    certificateSigning(group, signers),
    clusterTrustBundleAttest(group, signers),
    certificateSubjectRestriction(group, names.get('signer.kube-apiserver-client')),
  ];
}
