import { request as requestHttps, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../lib/clock.ts';
import { readBounded } from './bounded-body.ts';
import { DeadlineError, withDeadline } from './deadline.ts';

export interface FetchLimits {
  /** PEM; by default the authorities that Node trusts. */
  readonly authority?: string | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** Gets a text. `bearer` is sent as a bearer token. */
export type FetchText = (url: string, bearer?: string) => Promise<string>;

/** A text couldn't be had. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

/**
 * Gets documents from servers that are trusted by their certificates, and with nothing else: over HTTPS only, without
 * redirects, in bounded time and size.
 *
 * @returns what throws FetchError naming the URL, and never the bearer token.
 */
export function fetchText(limits: FetchLimits): FetchText {
  const { clock, timeoutMs, maxBytes } = limits;
  return async (url, bearer) => {
    const target = URL.parse(url);
    if (target?.protocol !== 'https:') throw new FetchError(`GET ${JSON.stringify(url)}: not an https URL`);
    try {
      return await withDeadline(clock, timeoutMs, async (signal) => {
        const answer = await get(target, limits, { bearer, signal });
        return await textOf(answer, maxBytes);
      });
    } catch (cause) {
      throw new FetchError(`GET ${target.origin}${target.pathname}: ${reasonOf(cause)}`, { cause });
    }
  };
}

interface Asking {
  readonly bearer: string | undefined;
  readonly signal: AbortSignal;
}

function get(url: URL, { authority }: FetchLimits, { bearer, signal }: Asking): Promise<IncomingMessage> {
  const options: RequestOptions = {
    headers: {
      accept: 'application/json, application/jwt;q=0.9',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    // A connection of its own: there is one every few minutes.
    agent: false,
    signal,
    ...(authority === undefined || authority === '' ? {} : { ca: authority }),
  };
  return new Promise((resolve, reject) => {
    requestHttps(url, options, resolve).on('error', reject).end();
  });
}

async function textOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  try {
    const { statusCode = 0 } = answer;
    if (statusCode >= 300 && statusCode < 400)
      throw new Error(`answered ${statusCode}: redirects are not followed`);
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
    return (await readBounded(answer, maxBytes)).toString('utf8');
  } finally {
    answer.destroy();
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof DeadlineError) return cause.message;
  return cause instanceof Error ? cause.message : String(cause);
}
