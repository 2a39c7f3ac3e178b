import { cachedTokens } from '../../authn/token-cache.ts';
import type { TokenAuthenticator } from '../../authn/token.ts';
import { tokenWebhook } from '../../authn/webhook/authenticator.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { reviewWebhook } from '../../outbound/review-webhook.ts';
import type { AuthenticationObserver } from '../metrics/authentication.ts';
import type { TokenWebhookOptions } from '../options/providers.ts';
import { openWebhook } from '../webhook-wire.ts';

export interface WebhookParts {
  readonly options: TokenWebhookOptions;
  readonly names: NamingProfile;
  /** What this server is called in tokens. */
  readonly audiences: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer: AuthenticationObserver;
}

/** Tokens that a webhook judges. */
export interface WebhookAuthentication {
  readonly method: TokenAuthenticator;
  close(): void;
}

/** Of a review with all attempts. */
const TIMEOUT_MS = 30_000;

/** @returns undefined where no webhook is configured. @throws Error naming the flag whose file is missing or wrong. */
export async function openTokenWebhook({
  options,
  names,
  audiences,
  clock,
  random,
  observer,
}: WebhookParts): Promise<WebhookAuthentication | undefined> {
  const { configurationFile, version, cacheTtlMs } = options;
  if (configurationFile === '') return undefined;
  const address = await openWebhook(configurationFile, clock).catch((cause: unknown) => {
    throw new Error(`--authentication-token-webhook-config-file: ${configurationFile}`, { cause });
  });
  const { wire, path } = address;
  const method = tokenWebhook({
    review: reviewWebhook({ wire, path, clock, random, timeoutMs: TIMEOUT_MS }),
    apiVersion: `${names.get('group.authentication')}/${version}`,
    audiences,
  });
  return {
    method: cachedTokens(method, {
      ...{ successMs: cacheTtlMs, failureMs: cacheTtlMs, clock },
      observer: observer.tokenCache,
    }),
    close: () => void address.close(),
  };
}
