import {
  authorizeUnion,
  type AuthorizationRequest,
  type Authorizer,
  type Decision,
  type SingleAuthorizer,
} from '../../authz/authorizer.ts';
import { masters } from '../../authz/built-in.ts';
import type { CheckedAuthorizer, CheckedWebhook } from '../../authz/configuration/check.ts';
import type { Opinion } from '../../authz/explain/explain.ts';
import { joinRules, type AuthorizationMode, type RulesFor } from '../../authz/rules.ts';
import { ignoreSelectors, selectorsOf } from '../../authz/selectors.ts';
import { webhookAuthorizer } from '../../authz/webhook/authorizer.ts';
import { matchConditions } from '../../authz/webhook/conditions.ts';
import { reviewWebhook } from '../../outbound/review-webhook.ts';
import { openWebhook } from '../webhook-wire.ts';
import type { AuthorizationParts } from './parts.ts';
import type { FixedModes } from './fixed-modes.ts';

/** Authorizers in their order, behind the one for `system:masters`, which nothing takes away. */
export interface Chain {
  readonly authorize: Authorizer;
  readonly rulesFor: RulesFor;
  /** Asks the authorizers in their order, up to the one that decides, without counting it. */
  readonly opinions: (request: AuthorizationRequest) => Promise<readonly Opinion[]>;
  /** Ends the connections of its webhooks. */
  close(): Promise<void>;
}

/** Puts authorizers in order. @throws Error for a webhook whose kubeconfig can't be used. */
export async function openChain(
  authorizers: readonly CheckedAuthorizer[],
  fixed: FixedModes,
  parts: AuthorizationParts,
): Promise<Chain> {
  const modes: AuthorizationMode[] = [];
  const singles: Single[] = [{ type: 'Masters', name: 'system:masters', authorize: masters }];
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => void (await Promise.all(closers.map((end) => end())));
  try {
    for (const { type, name, webhook } of authorizers) {
      const mode =
        webhook === undefined ? fixed.get(type) : await openWebhookMode(name, webhook, { parts, closers });
      if (mode === undefined) throw new Error(`the type ${type} was not among the authorizers at the start`);
      singles.push({ type, name, authorize: mode.authorize });
      modes.push({ ...mode, authorize: counted(mode.authorize, parts.observer.decisions(type, name)) });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    authorize: authorizeUnion([masters, ...modes.map(({ authorize }) => authorize)]),
    rulesFor: joinRules(modes.map((mode) => mode.rulesFor)),
    opinions: (request) => opinionsOf(singles, request),
    close,
  };
}

interface Single {
  readonly type: string;
  readonly name: string;
  readonly authorize: SingleAuthorizer;
}

async function opinionsOf(singles: readonly Single[], request: AuthorizationRequest): Promise<Opinion[]> {
  const opinions: Opinion[] = [];
  for (const { type, name, authorize } of singles) {
    const decision = await authorize(request);
    opinions.push({ type, name, ...decision });
    if (decision.verdict !== 'noOpinion') break;
  }
  return opinions;
}

async function openWebhookMode(
  name: string,
  webhook: CheckedWebhook,
  { parts, closers }: { readonly parts: AuthorizationParts; readonly closers: (() => Promise<void>)[] },
): Promise<AuthorizationMode> {
  const { config, names, observer, clock, random } = parts;
  const address = await openWebhook(webhook.kubeconfig, clock);
  const { wire, path } = address;
  closers.push(() => address.close());
  const conditions = matchConditions(webhook.conditions, observer.conditions('Webhook', name), () =>
    clock.monotonic(),
  );
  return webhookAuthorizer({
    call: reviewWebhook({ wire, path, timeoutMs: webhook.timeoutMs, clock, random }),
    group: names.get('group.authorization'),
    version: webhook.version,
    authorizedTtlMs: webhook.authorizedTtlMs,
    unauthorizedTtlMs: webhook.unauthorizedTtlMs,
    failurePolicy: webhook.failurePolicy,
    ...(webhook.conditions.length === 0 ? {} : { conditions }),
    selectorsOf: config.gates.enabled('AuthorizeWithSelectors') ? selectorsOf : ignoreSelectors,
    observer: observer.webhook(name),
    clock,
  });
}

function counted(authorize: SingleAuthorizer, count: (decision: Decision) => void): SingleAuthorizer {
  return (request) => {
    const answer = authorize(request);
    if (answer instanceof Promise) {
      return answer.then((decision) => {
        count(decision);
        return decision;
      });
    }
    count(answer);
    return answer;
  };
}
