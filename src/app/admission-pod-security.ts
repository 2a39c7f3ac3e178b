import type { AdmissionPlugin } from '../admission/admission.ts';
import { allChecks, evaluator } from '../admission/pod-security/checks/checks.ts';
import { podSecurity } from '../admission/pod-security/plugin.ts';
import type { Mode, PolicyLabels } from '../admission/pod-security/policy.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { AdmissionParts } from './admission-parts.ts';
import type { AdmissionReads } from './admission-reads.ts';

/** Pod Security, by the labels and annotations that the naming profile has. */
export function podSecurityOf(
  { names, schemas, store, clock, config, admissionObservers, admissionSettings }: AdmissionParts,
  reads: AdmissionReads,
): AdmissionPlugin {
  const annotations = {
    appArmorPrefix: names.get('prefix.app-armor-container'),
    seccompPod: names.get('annotation.seccomp-pod'),
    seccompPrefix: names.get('prefix.seccomp-container'),
  };
  const trustsUserNamespaces = config.gates.enabled('UserNamespacesPodSecurityStandards');
  return podSecurity({
    labels: labelsOf(names),
    configuration: admissionSettings.podSecurity,
    evaluate: evaluator(allChecks({ annotations, trustsUserNamespaces })),
    namespaceLabels: (name, signal) =>
      reads.namespaceLabels(schemas.resource('', 'v1', 'namespaces'), name, signal),
    async listPods(namespace, signal) {
      const resource = schemas.resource('', 'v1', 'pods');
      if (resource === undefined) return [];
      return (await store.list({ resource, namespace, at: { at: 'any' }, signal })).entries;
    },
    clock,
    audit: {
      enforced: names.get('audit.pod-security-enforce-policy'),
      violations: names.get('audit.pod-security-audit-violations'),
      exempt: names.get('audit.pod-security-exempt'),
      error: names.get('audit.pod-security-error'),
    },
    observer: admissionObservers.podSecurity,
  });
}

function labelsOf(names: NamingProfile): PolicyLabels {
  const of = (mode: Mode): PolicyLabels[Mode] => ({
    level: names.get(`label.pod-security-${mode}`),
    version: names.get(`label.pod-security-${mode}-version`),
  });
  return { enforce: of('enforce'), audit: of('audit'), warn: of('warn') };
}
