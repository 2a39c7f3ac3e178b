import type { Clock } from '../lib/clock.ts';
import { readBounded } from './bounded-body.ts';
import { DeadlineError, pause, withDeadline } from './deadline.ts';

/** How a webhook is reached; a client's transport is one. Redirects are not followed. */
export interface Wire {
  send(request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  }): Promise<WireAnswer>;
}

interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ReviewWebhookOptions {
  readonly wire: Wire;
  /** Added to that of the wire's server; '' where that is whole, '/' at a server's root. */
  readonly path: string;
  /** How long a review may take, with all attempts. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** How long the first pause between attempts is; 500 by default. */
  readonly firstPauseMs?: number;
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Told of every attempt: the HTTP status, or `<error>` where there was none. */
  readonly observe?: (status: string, seconds: number) => void;
}

/**
 * Posts a review (TokenReview, SubjectAccessReview) and returns the one that is answered, whose content is unchecked.
 *
 * @throws WebhookError for every other outcome. It says nothing of what was sent.
 */
export type ReviewWebhook = (review: object) => Promise<Readonly<Record<string, unknown>>>;

/** A webhook didn't answer with a review. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** Reviews are small; a user may have 10,000 groups. */
const MAX_ANSWER_BYTES = 4 << 20;
/** As the reference retries: 0.5 s, then half as long again each time, and up to a fifth more by chance. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const FACTOR = 1.5;
const JITTER = 0.2;
/** Answers that may be others the next time; so may any with `Retry-After`. */
const PASSING = new Set([429, 500, 504]);

/** Calls a webhook that answers reviews, once or, where that may help, several times within the time it has. */
export function reviewWebhook(options: ReviewWebhookOptions): ReviewWebhook {
  const { clock, timeoutMs } = options;
  return async (review) => {
    const body = JSON.stringify(review);
    try {
      return await withDeadline(clock, timeoutMs, (signal) => attempts(options, body, signal));
    } catch (error) {
      if (error instanceof WebhookError) throw error;
      const why = error instanceof DeadlineError ? error.message : 'no connection';
      throw new WebhookError(`the webhook failed: ${why}`, { cause: error });
    }
  };
}

async function attempts(
  options: ReviewWebhookOptions,
  body: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  let wait = options.firstPauseMs ?? FIRST_PAUSE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(options, body, signal);
    } catch (error) {
      if (attempt === ATTEMPTS || signal.aborted || !isPassing(error)) throw error;
    }
    await pause(options.clock, Math.round(wait * (1 + JITTER * options.random())), signal);
    wait *= FACTOR;
  }
}

async function ask(
  { wire, path, clock, observe }: ReviewWebhookOptions,
  body: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const started = clock.monotonic();
  const tell = (status: string): void => observe?.(status, (clock.monotonic() - started) / 1000);
  let answer: WireAnswer;
  try {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    answer = await wire.send({ method: 'POST', path, headers, body, signal });
  } catch (error) {
    tell('<error>');
    throw error;
  }
  tell(String(answer.status));
  return readReview(answer);
}

async function readReview({ status, headers, body }: WireAnswer): Promise<Readonly<Record<string, unknown>>> {
  if (status < 200 || status > 299) {
    await leave(body);
    throw new RefusedError(status, headers['retry-after'] !== undefined);
  }
  const text = await bounded(body);
  let review: unknown;
  try {
    review = JSON.parse(text);
  } catch {
    throw new WebhookError('the webhook answered something that is not JSON');
  }
  if (typeof review !== 'object' || review === null || Array.isArray(review)) {
    throw new WebhookError('the webhook answered something that is not a review');
  }
  return review as Readonly<Record<string, unknown>>;
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    return (await readBounded(body, MAX_ANSWER_BYTES)).toString('utf8');
  } catch (cause) {
    throw new WebhookError(`the webhook's answer can't be read: ${(cause as Error).message}`, { cause });
  }
}

/** Lets go of a body, so that its connection is free. */
async function leave(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await readBounded(body, 64 << 10);
  } catch {
    // Whoever says no needn't say it well.
  }
}

class RefusedError extends WebhookError {
  readonly passing: boolean;

  constructor(status: number, retryAfter: boolean) {
    super(`the webhook answered ${status}`);
    this.passing = PASSING.has(status) || retryAfter;
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof RefusedError) return error.passing;
  return (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}
