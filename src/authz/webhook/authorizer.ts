import { hash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { ExpiringCache } from '../../lib/expiring-cache.ts';
import type { JsonObject } from '../../meta/object.ts';
import { DeadlineError } from '../../outbound/deadline.ts';
import type { ReviewWebhook } from '../../outbound/review-webhook.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { NO_OPINION, type AuthorizationRequest, type Decision } from '../authorizer.ts';
import { NO_RULES, type AuthorizationMode } from '../rules.ts';
import type { SelectorsOf } from '../selectors.ts';
import { readAnswer } from './answer.ts';
import type { MatchConditions } from './conditions.ts';
import { asBeta, reviewSpec } from './review.ts';

export interface WebhookAuthorizerOptions {
  readonly call: ReviewWebhook;
  /** The group of reviews, of the profile. */
  readonly group: string;
  readonly version: 'v1' | 'v1beta1';
  /** How long what it allows, and all else that it says, is kept. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  /** What a failure comes to. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Absent: it is asked about everything. */
  readonly conditions?: MatchConditions;
  readonly selectorsOf: SelectorsOf;
  readonly observer: WebhookObserver;
  readonly clock: Clock;
}

/** How calls end. */
export interface WebhookObserver {
  called(result: 'success' | 'timeout' | 'error', seconds: number): void;
  /** A failure was taken for no opinion. */
  failedOpen(result: 'timeout' | 'error'): void;
}

/** So many answers are kept. */
const MOST_ANSWERS = 8192;
/** Answers to longer questions aren't: whoever asks chooses how many of those there are. */
const LONGEST_QUESTION = 10_000;

const RULES = { ...NO_RULES, incomplete: true, problems: ['a webhook can not list what it allows'] };

/** Asks a webhook what is allowed, by a SubjectAccessReview. */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): AuthorizationMode {
  const authorizer = new WebhookAuthorizer(options);
  return { authorize: (request) => authorizer.authorize(request), rulesFor: () => RULES };
}

class WebhookAuthorizer {
  readonly #options: WebhookAuthorizerOptions;
  readonly #answers: ExpiringCache<Decision>;
  /** Questions under way: who asks the same waits for the same answer. */
  readonly #asked = new Map<string, Promise<Decision>>();

  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options;
    this.#answers = new ExpiringCache({ clock: options.clock, limit: MOST_ANSWERS });
  }

  authorize(request: AuthorizationRequest): Decision | Promise<Decision> {
    const { conditions, selectorsOf } = this.#options;
    const spec = reviewSpec(request, selectorsOf(request));
    try {
      if (conditions?.match(spec) === false) return NO_OPINION;
    } catch (error) {
      return this.#failure(error);
    }
    // Questions are as long as users have groups.
    const key = hash('sha256', JSON.stringify(spec), 'base64');
    const known = this.#answers.get(key) ?? this.#asked.get(key);
    if (known !== undefined) return known;
    const answer = this.#ask(spec, isKept(request.info) ? key : undefined).finally(() =>
      this.#asked.delete(key),
    );
    this.#asked.set(key, answer);
    return answer;
  }

  async #ask(spec: JsonObject, key: string | undefined): Promise<Decision> {
    const { call, group, version, observer, clock, failurePolicy } = this.#options;
    const { authorizedTtlMs, unauthorizedTtlMs } = this.#options;
    const apiVersion = `${group}/${version}`;
    const since = clock.monotonic();
    const seconds = (): number => (clock.monotonic() - since) / 1000;
    try {
      const review = await call({
        ...{ kind: 'SubjectAccessReview', apiVersion, metadata: { creationTimestamp: null } },
        ...{ spec: version === 'v1' ? spec : asBeta(spec), status: { allowed: false } },
      });
      const decision = readAnswer(review, apiVersion);
      observer.called('success', seconds());
      if (key !== undefined) {
        this.#answers.set(key, decision, decision.verdict === 'allow' ? authorizedTtlMs : unauthorizedTtlMs);
      }
      return decision;
    } catch (error) {
      const result = (error as Error).cause instanceof DeadlineError ? 'timeout' : 'error';
      observer.called(result, seconds());
      if (failurePolicy === 'NoOpinion') observer.failedOpen(result);
      return this.#failure(error);
    }
  }

  #failure(error: unknown): Decision {
    const problem = error instanceof Error ? error.message : String(error);
    return { verdict: this.#options.failurePolicy === 'Deny' ? 'deny' : 'noOpinion', reason: '', problem };
  }
}

function isKept({
  namespace,
  verb,
  group,
  version,
  resource,
  subresource,
  name,
  path,
}: RequestInfo): boolean {
  const texts = [namespace, verb, group, version, resource, subresource, name, path];
  return texts.reduce((length, text) => length + text.length, 0) < LONGEST_QUESTION;
}
