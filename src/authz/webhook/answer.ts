import type { Decision } from '../authorizer.ts';

/** What a webhook's answer comes to. @throws Error for anything but a review of the version that was sent. */
export function readAnswer(review: Readonly<Record<string, unknown>>, apiVersion: string): Decision {
  if (review['kind'] !== 'SubjectAccessReview' || review['apiVersion'] !== apiVersion) {
    throw new Error(`the webhook answered something that is no SubjectAccessReview of ${apiVersion}`);
  }
  const status = review['status'] ?? {};
  if (typeof status !== 'object' || Array.isArray(status)) throw new Error('the answer has no status');
  const { allowed = false, denied = false, reason = '' } = status as Readonly<Record<string, unknown>>;
  if (typeof allowed !== 'boolean' || typeof denied !== 'boolean' || typeof reason !== 'string') {
    throw new Error('the status of the answer is not one of a review');
  }
  if (denied && allowed) {
    return { verdict: 'deny', reason, problem: 'the webhook both allowed and denied the request' };
  }
  if (denied) return { verdict: 'deny', reason };
  return { verdict: allowed ? 'allow' : 'noOpinion', reason };
}
