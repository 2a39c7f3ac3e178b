import { isAbsolute } from 'node:path';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../errors/field-error.ts';
import { dnsSubdomainProblems } from '../../meta/names.ts';
import type { Expression, ExpressionCompiler } from '../../schema/expressions/compile.ts';
import { compileConditions } from '../webhook/conditions.ts';
import type { AuthorizationConfiguration, WebhookConfiguration } from './configuration.ts';

/** An authorizer of a configuration that was checked. */
export interface CheckedAuthorizer {
  readonly type: string;
  readonly name: string;
  readonly webhook: CheckedWebhook | undefined;
}

/** A webhook, with what it leaves out filled in. */
export interface CheckedWebhook {
  readonly kubeconfig: string;
  readonly version: 'v1' | 'v1beta1';
  readonly timeoutMs: number;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  readonly conditions: readonly Expression[];
}

export interface CheckParts {
  readonly compiler: ExpressionCompiler;
  /** What is wrong with a file; '' for nothing. */
  readonly fileProblem: (path: string) => Promise<string>;
}

const TYPES: readonly string[] = ['Node', 'RBAC', 'Webhook'];
const LONGEST_TIMEOUT_MS = 30_000;
const DEFAULT_AUTHORIZED_TTL_MS = 300_000;
const DEFAULT_UNAUTHORIZED_TTL_MS = 30_000;

/** Checks a configuration and compiles its conditions. @returns everything that is wrong, too. */
export async function checkAuthorizers(
  { authorizers }: AuthorizationConfiguration,
  parts: CheckParts,
): Promise<{ readonly checked: readonly CheckedAuthorizer[]; readonly errors: readonly FieldError[] }> {
  if (authorizers.length === 0) {
    return {
      checked: [],
      errors: [required('authorizers', 'at least one authorization mode must be defined')],
    };
  }
  const errors: FieldError[] = [];
  const checked: CheckedAuthorizer[] = [];
  for (const [index, { type, name, webhook }] of authorizers.entries()) {
    const path = `authorizers[${index}]`;
    const before = authorizers.slice(0, index);
    const wrongType = typeErrors(type, `${path}.type`, before);
    errors.push(...wrongType);
    if (wrongType.length > 0) continue;
    errors.push(...nameErrors({ type, name }, `${path}.name`, before));
    if (type !== 'Webhook') {
      if (webhook !== undefined) errors.push(forbidden(`${path}.webhook`, 'is for the type Webhook only'));
      checked.push({ type, name, webhook: undefined });
    } else if (webhook === undefined) errors.push(required(`${path}.webhook`, 'the type is Webhook'));
    else {
      const found = await checkWebhook(webhook, `${path}.webhook`, parts);
      errors.push(...found.errors);
      checked.push({ type, name, webhook: found.checked });
    }
  }
  return { checked, errors };
}

interface Named {
  readonly type: string;
  readonly name: string;
}

function typeErrors(type: string, path: string, before: readonly Named[]): FieldError[] {
  if (type === '') return [required(path)];
  if (!TYPES.includes(type)) return [notSupported(path, type, TYPES)];
  return type !== 'Webhook' && before.some((one) => one.type === type) ? [duplicate(path, type)] : [];
}

function nameErrors({ type, name }: Named, path: string, before: readonly Named[]): FieldError[] {
  if (name === '') return [required(path)];
  if (before.some((one) => one.name === name)) return [duplicate(path, name)];
  const expected = type.toLowerCase();
  if (type !== 'Webhook' && name !== expected)
    return [invalid(path, name, `the name of the type ${type} is ${expected}`)];
  const [problem] = dnsSubdomainProblems(name);
  return problem === undefined ? [] : [invalid(path, name, problem)];
}

async function checkWebhook(
  webhook: WebhookConfiguration,
  path: string,
  { compiler, fileProblem }: CheckParts,
): Promise<{ readonly checked: CheckedWebhook; readonly errors: readonly FieldError[] }> {
  const texts = webhook.matchConditions.map(({ expression }) => expression);
  const conditions = compileConditions(texts, `${path}.matchConditions`, compiler);
  const errors = [
    ...timeErrors(webhook, path),
    ...choice(webhook.subjectAccessReviewVersion, `${path}.subjectAccessReviewVersion`, ['v1', 'v1beta1']),
    ...matchVersionErrors(webhook, `${path}.matchConditionSubjectAccessReviewVersion`),
    ...choice(webhook.failurePolicy, `${path}.failurePolicy`, ['NoOpinion', 'Deny']),
    ...(await connectionErrors(webhook.connectionInfo, `${path}.connectionInfo`, fileProblem)),
    ...conditions.errors,
  ];
  const checked = {
    kubeconfig: webhook.connectionInfo.kubeConfigFile ?? '',
    version: webhook.subjectAccessReviewVersion as CheckedWebhook['version'],
    timeoutMs: webhook.timeout,
    authorizedTtlMs: webhook.authorizedTTL || DEFAULT_AUTHORIZED_TTL_MS,
    unauthorizedTtlMs: webhook.unauthorizedTTL || DEFAULT_UNAUTHORIZED_TTL_MS,
    failurePolicy: webhook.failurePolicy as CheckedWebhook['failurePolicy'],
    conditions: conditions.expressions,
  };
  return { checked, errors };
}

function timeErrors(
  { timeout, authorizedTTL, unauthorizedTTL }: WebhookConfiguration,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (timeout === 0) errors.push(required(`${path}.timeout`));
  else if (timeout < 0 || timeout > LONGEST_TIMEOUT_MS) {
    errors.push(invalid(`${path}.timeout`, seconds(timeout), 'must be > 0s and <= 30s'));
  }
  for (const [field, ms] of Object.entries({ authorizedTTL, unauthorizedTTL })) {
    if (ms < 0) errors.push(invalid(`${path}.${field}`, seconds(ms), 'must be > 0s'));
  }
  return errors;
}

function seconds(ms: number): string {
  return `${ms / 1000}s`;
}

function choice(value: string, path: string, known: readonly string[]): FieldError[] {
  if (value === '') return [required(path)];
  return known.includes(value) ? [] : [notSupported(path, value, known)];
}

function matchVersionErrors(webhook: WebhookConfiguration, path: string): FieldError[] {
  const version = webhook.matchConditionSubjectAccessReviewVersion;
  if (version !== '') return choice(version, path, ['v1']);
  return webhook.matchConditions.length === 0 ? [] : [required(path, 'there are match conditions')];
}

async function connectionErrors(
  { type, kubeConfigFile = '' }: WebhookConfiguration['connectionInfo'],
  path: string,
  fileProblem: CheckParts['fileProblem'],
): Promise<FieldError[]> {
  const known = ['KubeConfigFile'];
  if (type === 'InClusterConfig') {
    return [invalid(`${path}.type`, type, 'is not for the server itself: want KubeConfigFile')];
  }
  const wrong = choice(type, `${path}.type`, known);
  if (wrong.length > 0) return wrong;
  const file = `${path}.kubeConfigFile`;
  if (kubeConfigFile === '') return [required(file)];
  if (!isAbsolute(kubeConfigFile)) return [invalid(file, kubeConfigFile, 'must be an absolute path')];
  const problem = await fileProblem(kubeConfigFile);
  return problem === '' ? [] : [invalid(file, kubeConfigFile, problem)];
}
