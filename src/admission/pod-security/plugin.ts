import type { Clock } from '../../lib/clock.ts';
import { invalid } from '../../errors/field-error.ts';
import { internalError, invalidError } from '../../errors/status-errors.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { refused } from '../refused.ts';
import { viewOf, type PodView } from './checks/check.ts';
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
  readonly observer: PodSecurityObserver;
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
    if (errors.length > 0) this.#parts.observer.failed(false, request);
    const pod = viewOf(object.metadata, objectAt(object, 'spec') ?? {});
    if (this.#isExemptClass(request, pod)) return;
    this.#enforce(request, pod, policy);
    this.#tell(request, pod, policy);
  }

  /** What makes pods is allowed; who wrote it is warned. */
  async checkTemplate(request: AdmissionRequest): Promise<void> {
    if (this.#isExempt(request)) return;
    const { policy, errors } = await this.#policyOf(request);
    if (errors.length === 0 && policy.warn.level === 'privileged' && policy.audit.level === 'privileged')
      return;
    const pod = templateOf(request);
    if (pod === undefined || this.#isExemptClass(request, pod)) return;
    if (errors.length > 0) this.#parts.observer.failed(false, request);
    this.#tell(request, pod, policy);
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
    const exempt = namespaces.has(request.namespace) || users.has(request.user.name);
    if (exempt) this.#parts.observer.exempted(request);
    return exempt;
  }

  #isExemptClass(request: AdmissionRequest, { spec }: PodView): boolean {
    const { runtimeClasses } = this.#parts.configuration.exemptions;
    const exempt = runtimeClasses.has(textAt(spec, 'runtimeClassName'));
    if (exempt) this.#parts.observer.exempted(request);
    return exempt;
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

  #enforce(request: AdmissionRequest, pod: PodView, { enforce }: Policy): void {
    const violations = this.#parts.evaluate(enforce, pod);
    const decision = violations.length === 0 ? 'allow' : 'deny';
    this.#parts.observer.evaluated(decision, enforce, 'enforce', request);
    if (violations.length === 0) return;
    throw refused(request, `violates PodSecurity "${formatPolicy(enforce)}": ${inDetail(violations)}`);
  }

  /** Counts what would be recorded, and warns. */
  #tell(request: AdmissionRequest, pod: PodView, { audit, warn }: Policy): void {
    const { evaluate, observer } = this.#parts;
    if (evaluate(audit, pod).length > 0) observer.evaluated('deny', audit, 'audit', request);
    const violations = evaluate(warn, pod);
    if (violations.length === 0) return;
    observer.evaluated('deny', warn, 'warn', request);
    request.warn(`would violate PodSecurity "${formatPolicy(warn)}": ${inDetail(violations)}`);
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

/** Whether pods that were allowed may not be any more. */
function isTightened({ enforce }: Policy, { enforce: old }: Policy): boolean {
  if (samePolicy(enforce, old) || enforce.level === 'privileged') return false;
  return enforce.version !== old.version || compareLevels(enforce.level, old.level) > 0;
}

function meansTheSame(a: Policy, b: Policy, mode: keyof Policy): boolean {
  return samePolicy(a[mode], b[mode]) || (a[mode].level === 'privileged' && b[mode].level === 'privileged');
}
