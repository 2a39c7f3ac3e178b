import type { AdmissionObserver, AdmissionOutcome, AdmissionPhase } from '../../admission/admission.ts';
import type { PodSecurityObserver } from '../../admission/pod-security/observer.ts';
import { formatVersion, LATEST, type LevelVersion } from '../../admission/pod-security/policy.ts';
import { subjectOf } from '../../admission/pod-security/pod-templates.ts';
import type { AdmissionRequest } from '../../admission/admission.ts';
import type { Labels } from '../../telemetry/metrics/family.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';
import type { Counter, Histogram } from '../../telemetry/metrics/series.ts';

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
  const ofStep = byOutcome((labels) => steps.with(labels));
  const ofPlugins = new Map<string, ReturnType<typeof byOutcome>>();
  return {
    chain: {
      now,
      decided(name, phase, outcome) {
        let ofPlugin = ofPlugins.get(name);
        if (ofPlugin === undefined) {
          ofPlugin = byOutcome((labels) => plugins.with({ name, ...labels }));
          ofPlugins.set(name, ofPlugin);
        }
        ofPlugin(phase, outcome).observe(outcome.seconds);
      },
      ended: (phase, outcome) => ofStep(phase, outcome).observe(outcome.seconds),
    },
    podSecurity: podSecurityObserver(metrics, release),
  };
}

/** What plugins are counted by. */
interface OutcomeLabels {
  readonly operation: string;
  readonly rejected: string;
  readonly type: string;
}

/** Series by outcome, each asked for once: every write counts in a dozen of them. */
function byOutcome(
  make: (labels: OutcomeLabels & Labels) => Histogram,
): (phase: AdmissionPhase, outcome: AdmissionOutcome) => Histogram {
  const admitted = { mutate: new Map<string, Histogram>(), validate: new Map<string, Histogram>() };
  const refused = { mutate: new Map<string, Histogram>(), validate: new Map<string, Histogram>() };
  return (phase, { operation, rejected }) => {
    const series = (rejected ? refused : admitted)[phase];
    let found = series.get(operation);
    if (found === undefined) {
      found = make({ operation, rejected: String(rejected), type: PHASES[phase] });
      series.set(operation, found);
    }
    return found;
  };
}

function podSecurityObserver(metrics: Metrics, release: number): PodSecurityObserver {
  const evaluations = metrics.counter('pod_security_evaluations_total');
  const exemptions = metrics.counter('pod_security_exemptions_total');
  const errors = metrics.counter('pod_security_errors_total');
  const kept = new Map<string, Counter>();
  return {
    evaluated(decision, policy, mode, request) {
      const { level } = policy;
      const version = versionLabel(policy, release);
      const { operation, subresource } = request;
      const key = `${decision} ${mode} ${level} ${version} ${operation} ${subjectOf(request)}/${subresource}`;
      let counter = kept.get(key);
      if (counter === undefined) {
        const labels = { decision, mode, policy_level: level, policy_version: version };
        counter = evaluations.with({ ...labels, ...labelsOf(request) });
        kept.set(key, counter);
      }
      counter.inc();
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
