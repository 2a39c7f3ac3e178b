import type { Clock } from '../../lib/clock.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { invalid } from '../../errors/field-error.ts';
import { internalError, invalidError } from '../../errors/status-errors.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { refused } from '../refused.ts';
import { viewOf, type PodView, type Violation } from './checks/check.ts';
import { inDetail, type Evaluate } from './checks/checks.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { existingViolations, type ListedPod } from './existing-pods.ts';
import type { PodSecurityObserver } from './observer.ts';
import {
  compareLevels,
  formatPolicy,
  isUnrestricted,
  MODES,
  readPolicy,
  samePolicy,
  type LevelVersion,
  type NamespacePolicy,
  type Policy,
  type PolicyLabels,
} from './policy.ts';
import { isSignificant, subjectOf, templateOf } from './pod-templates.ts';

type Labels = Readonly<Record<string, string>>;

export interface PodSecurityDependencies {
  readonly labels: PolicyLabels;
  readonly configuration: PodSecurityConfiguration;
  readonly evaluate: Evaluate;
  /** The labels of a namespace; undefined: there is none. The same object as long as they are the same. */
  readonly namespaceLabels: (name: string, signal: AbortSignal) => Promise<Labels | undefined>;
  /** The pods of a namespace, as of a moment ago. */
  readonly listPods: (namespace: string, signal: AbortSignal) => Promise<readonly ListedPod[]>;
  readonly clock: Clock;
  /** The annotations of audit events. */
  readonly audit: AuditNames;
  readonly observer: PodSecurityObserver;
}

/** Under these names audit events tell what was decided. */
export interface AuditNames {
  readonly enforced: string;
  readonly violations: string;
  readonly exempt: string;
  readonly error: string;
}

/** Parts of pods that say nothing about what runs in them. */
const OTHER_PARTS: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

/** Holds pods to the Pod Security Standards that their namespace's labels choose. */
export function podSecurity(dependencies: PodSecurityDependencies): AdmissionPlugin {
  const plugin = new PodSecurityAdmission(dependencies);
  return {
    name: 'PodSecurity',
    operations: ['CREATE', 'UPDATE'],
    concerns: (resource) => subjectOf({ resource }) !== undefined,
    async validate(request) {
      const subject = subjectOf(request);
      if (subject === 'pod') await plugin.checkPod(request);
      else if (subject !== undefined && request.subresource === '') {
        if (subject === 'namespace') await plugin.checkNamespace(request);
        else await plugin.checkTemplate(request);
      }
    },
  };
}

class PodSecurityAdmission {
  readonly #parts: PodSecurityDependencies;
  /** What labels come to. */
  readonly #policies = new WeakMap<Labels, NamespacePolicy>();

  constructor(parts: PodSecurityDependencies) {
    this.#parts = parts;
  }

  /** @throws ApiError 403 for a pod that breaks what its namespace enforces. */
  async checkPod(request: AdmissionRequest): Promise<void> {
    const { object, oldObject, operation, subresource } = request;
    if (object === undefined || OTHER_PARTS.has(subresource) || this.#isExempt(request)) return;
    const { policy, errors } = await this.#policyOf(request);
    if (errors.length === 0 && isUnrestricted(policy)) {
      this.#parts.observer.evaluated('allow', policy.enforce, 'enforce', request);
      return;
    }
    if (operation === 'UPDATE' && oldObject !== undefined && !isSignificant(object, oldObject)) return;
    this.#misread(request, errors);
    const pod = viewOf(object.metadata, objectAt(object, 'spec') ?? {});
    if (this.#isExemptClass(request, pod)) return;
    const refusal = this.#enforce(request, pod, policy);
    this.#record(request, pod, policy);
    if (refusal !== undefined) throw refusal;
    this.#warn(request, pod, policy);
  }

  /** What makes pods is allowed; who wrote it is warned. */
  async checkTemplate(request: AdmissionRequest): Promise<void> {
    if (this.#isExempt(request)) return;
    const { policy, errors } = await this.#policyOf(request);
    if (errors.length === 0 && policy.warn.level === 'privileged' && policy.audit.level === 'privileged')
      return;
    const pod = templateOf(request);
    if (pod === undefined || this.#isExemptClass(request, pod)) return;
    this.#misread(request, errors);
    this.#record(request, pod, policy);
    this.#warn(request, pod, policy);
  }

  /** @throws ApiError 422 for labels that say nothing sensible, if they are new. */
  async checkNamespace(request: AdmissionRequest): Promise<void> {
    const { object, oldObject, operation, resource, name } = request;
    if (object === undefined) return;
    const now = this.#read(object.metadata.labels);
    const old = operation === 'UPDATE' ? this.#read(oldObject?.metadata.labels) : undefined;
    if (now.errors.length > 0 && JSON.stringify(now.errors) !== JSON.stringify(old?.errors)) {
      const errors = now.errors.map(({ label, value, problem }) =>
        invalid(`metadata.labels[${label}]`, value, problem),
      );
      throw invalidError(resource, name, errors);
    }
    if (old !== undefined && !isTightened(now.policy, old.policy)) return;
    if (this.#parts.configuration.exemptions.namespaces.has(name))
      this.#warnOfExempt(request, object, now.policy);
    else if (old !== undefined) await this.#warnOfPods(request, now.policy);
  }

  #isExempt(request: AdmissionRequest): boolean {
    const { namespaces, users } = this.#parts.configuration.exemptions;
    if (namespaces.has(request.namespace)) return this.#exempt(request, 'namespace');
    return users.has(request.user.name) && this.#exempt(request, 'user');
  }

  #isExemptClass(request: AdmissionRequest, { spec }: PodView): boolean {
    const { runtimeClasses } = this.#parts.configuration.exemptions;
    return runtimeClasses.has(textAt(spec, 'runtimeClassName')) && this.#exempt(request, 'runtimeClass');
  }

  #exempt(request: AdmissionRequest, by: string): true {
    this.#parts.observer.exempted(request);
    request.annotate?.(this.#parts.audit.exempt, by);
    return true;
  }

  /** Labels of the namespace say nothing sensible. */
  #misread(request: AdmissionRequest, errors: NamespacePolicy['errors']): void {
    if (errors.length === 0) return;
    this.#parts.observer.failed(false, request);
    const list = errors.map(({ label, problem }) => `${label} ${problem}`).join(', ');
    request.annotate?.(this.#parts.audit.error, `labels of the namespace can not be read: ${list}`);
  }

  async #policyOf(request: AdmissionRequest): Promise<NamespacePolicy> {
    const { namespace, signal } = request;
    const labels = await this.#parts.namespaceLabels(namespace, signal);
    if (labels !== undefined) return this.#read(labels);
    this.#parts.observer.failed(true, request);
    throw internalError(`the namespace ${namespace} can not be found`);
  }

  #read(labels: Labels | undefined): NamespacePolicy {
    const { labels: names, configuration } = this.#parts;
    if (labels === undefined) return { policy: configuration.defaults, errors: [] };
    let known = this.#policies.get(labels);
    if (known === undefined) {
      known = readPolicy(labels, names, configuration.defaults);
      this.#policies.set(labels, known);
    }
    return known;
  }

  /** @returns the refusal of a pod that breaks what is enforced */
  #enforce(request: AdmissionRequest, pod: PodView, { enforce }: Policy): ApiError | undefined {
    const { evaluate, observer, audit } = this.#parts;
    request.annotate?.(audit.enforced, formatPolicy(enforce));
    const violations = evaluate(enforce, pod);
    observer.evaluated(violations.length === 0 ? 'allow' : 'deny', enforce, 'enforce', request);
    if (violations.length === 0) return undefined;
    return refused(request, `violates PodSecurity "${formatPolicy(enforce)}": ${inDetail(violations)}`);
  }

  #record(request: AdmissionRequest, pod: PodView, { audit }: Policy): void {
    const { evaluate, observer, audit: names } = this.#parts;
    const violations = evaluate(audit, pod);
    if (violations.length === 0) return;
    observer.evaluated('deny', audit, 'audit', request);
    request.annotate?.(names.violations, wouldViolate(audit, violations));
  }

  #warn(request: AdmissionRequest, pod: PodView, { warn }: Policy): void {
    const { evaluate, observer } = this.#parts;
    const violations = evaluate(warn, pod);
    if (violations.length === 0) return;
    observer.evaluated('deny', warn, 'warn', request);
    request.warn(wouldViolate(warn, violations));
  }

  #warnOfExempt(request: AdmissionRequest, { metadata }: ApiObject, policy: Policy): void {
    const { labels, configuration } = this.#parts;
    if (isUnrestricted(policy) || MODES.every((mode) => meansTheSame(policy, configuration.defaults, mode)))
      return;
    const said = MODES.filter(
      (mode) =>
        policy[mode].level !== 'privileged' &&
        [labels[mode].level, labels[mode].version].some((label) => metadata.labels?.[label] !== undefined),
    );
    const list = said.map((mode) => `${mode}=${formatPolicy(policy[mode])}`).join(', ');
    request.warn(
      `namespace "${request.name}" is exempt from Pod Security, its policy (${list}) will be ignored`,
    );
  }

  async #warnOfPods(request: AdmissionRequest, { enforce }: Policy): Promise<void> {
    const { listPods, configuration } = this.#parts;
    const { name: namespace, signal } = request;
    const { runtimeClasses } = configuration.exemptions;
    const pods = await listPods(namespace, signal);
    const isExempt = (runtimeClass: string): boolean => runtimeClasses.has(runtimeClass);
    const texts = await existingViolations({ namespace, pods, isExempt }, enforce, this.#parts);
    for (const text of texts) request.warn(text);
  }
}

function wouldViolate(policy: LevelVersion, violations: readonly Violation[]): string {
  return `would violate PodSecurity "${formatPolicy(policy)}": ${inDetail(violations)}`;
}

/** Whether pods that were allowed may not be any more. */
function isTightened({ enforce }: Policy, { enforce: old }: Policy): boolean {
  if (samePolicy(enforce, old) || enforce.level === 'privileged') return false;
  return enforce.version !== old.version || compareLevels(enforce.level, old.level) > 0;
}

function meansTheSame(a: Policy, b: Policy, mode: keyof Policy): boolean {
  return samePolicy(a[mode], b[mode]) || (a[mode].level === 'privileged' && b[mode].level === 'privileged');
}
