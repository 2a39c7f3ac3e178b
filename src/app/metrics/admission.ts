import type { AdmissionObserver } from '../../admission/admission.ts';
import type { PodSecurityObserver } from '../../admission/pod-security/observer.ts';
import { formatVersion, LATEST, type LevelVersion } from '../../admission/pod-security/policy.ts';
import { subjectOf } from '../../admission/pod-security/pod-templates.ts';
import type { AdmissionRequest } from '../../admission/admission.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';

/** What admission tells of itself. */
export interface AdmissionObservers {
  readonly chain: AdmissionObserver;
  readonly podSecurity: PodSecurityObserver;
}

const PHASES = { mutate: 'admit', validate: 'validate' } as const;

/** Measures admission. @param release the minor number of the release that is served */
export function admissionObservers(metrics: Metrics, now: () => number, release: number): AdmissionObservers {
  const plugins = metrics.histogram('apiserver_admission_controller_admission_duration_seconds');
  const steps = metrics.histogram('apiserver_admission_step_admission_duration_seconds');
  return {
    chain: {
      now,
      decided(name, phase, { operation, rejected, seconds }) {
        plugins.with({ name, operation, rejected: String(rejected), type: PHASES[phase] }).observe(seconds);
      },
      ended(phase, { operation, rejected, seconds }) {
        steps.with({ operation, rejected: String(rejected), type: PHASES[phase] }).observe(seconds);
      },
    },
    podSecurity: podSecurityObserver(metrics, release),
  };
}

function podSecurityObserver(metrics: Metrics, release: number): PodSecurityObserver {
  const evaluations = metrics.counter('pod_security_evaluations_total');
  const exemptions = metrics.counter('pod_security_exemptions_total');
  const errors = metrics.counter('pod_security_errors_total');
  return {
    evaluated(decision, policy, mode, request) {
      const { level } = policy;
      const version = versionLabel(policy, release);
      evaluations
        .with({ decision, mode, policy_level: level, policy_version: version, ...labelsOf(request) })
        .inc();
    },
    exempted: (request) => exemptions.with(labelsOf(request)).inc(),
    failed: (fatal, request) => errors.with({ fatal: String(fatal), ...labelsOf(request) }).inc(),
  };
}

/** Policies of releases to come are counted together, so that nobody makes series at will. */
function versionLabel({ level, version }: LevelVersion, release: number): string {
  if (version === LATEST || level === 'privileged') return 'latest';
  return version > release ? 'future' : formatVersion(version);
}

function labelsOf(request: AdmissionRequest): {
  request_operation: string;
  resource: string;
  subresource: string;
} {
  const { operation, subresource } = request;
  return { request_operation: operation.toLowerCase(), resource: subjectOf(request) ?? '', subresource };
}
