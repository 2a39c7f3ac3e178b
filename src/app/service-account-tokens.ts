import { serviceAccountTokens } from '../authn/service-account/authenticator.ts';
import { extraNames } from '../authn/service-account/bound.ts';
import { claimNames } from '../authn/service-account/claims.ts';
import type { TokenIssuer } from '../authn/service-account/issuer.ts';
import type { TokenAuthenticator } from '../authn/token.ts';
import { ApiError } from '../errors/api-error.ts';
import type { TokenRequests } from '../registry/serviceaccount/token-request.ts';
import type { StoredEntry } from '../store/object-store.ts';
import type { AuthenticationParts } from './authentication.ts';
import type { CompletedConfig } from './options/complete.ts';

/** The method that knows tokens of service accounts, as the flags say. */
export function openServiceAccountTokens(
  { serviceAccounts, authentication }: CompletedConfig,
  parts: AuthenticationParts,
): TokenAuthenticator {
  const { tokenKeys, names, objects, clock, observer } = parts;
  const lastUsed = names.get('label.legacy-token-last-used');
  return serviceAccountTokens({
    keys: tokenKeys,
    issuers: serviceAccounts.issuers,
    audiences: authentication.apiAudiences,
    claims: claimNames(names),
    extra: extraNames(names),
    find: (object, freshness) => objects.findEntry(object, freshness),
    legacy: {
      lookup: serviceAccounts.lookup,
      labels: { lastUsed, invalidSince: names.get('label.legacy-token-invalid-since') },
      onUse: markUsed(parts, lastUsed),
    },
    now: () => clock.now(),
    onToken: (use) => observer.onAccountToken(use),
  });
}

/** Labels Secrets with the day on which their tokens were used last. Nobody waits for it. */
function markUsed(
  { objects, log }: AuthenticationParts,
  label: string,
): (secret: StoredEntry, today: string) => void {
  const marking = new Set<string>();
  return function mark(secret, today) {
    const { uid, namespace, name } = secret;
    if (marking.has(uid)) return;
    marking.add(uid);
    void objects
      .label({ resource: 'secrets' }, secret, { [label]: today })
      .catch((error: unknown) => {
        // Somebody else has written it: the next use of the token tries again.
        if (error instanceof ApiError && (error.reason === 'Conflict' || error.reason === 'NotFound')) return;
        log.warning('a Secret could not be labelled with the day of its last use', {
          namespace,
          name,
          error,
        });
      })
      .finally(() => marking.delete(uid));
  };
}

/** How requests for tokens are answered, as the flags say. @param newId makes the identity of a token. */
export function tokenRequestsOf(
  { serviceAccounts, authentication, gates }: CompletedConfig,
  { issuer, newId }: { readonly issuer: TokenIssuer; readonly newId: () => string },
): TokenRequests {
  return {
    issue: (token) => issuer.issueToken({ ...token, id: newId() }),
    audiences: authentication.apiAudiences,
    maxSeconds: Math.floor(serviceAccounts.maxExpirationMs / 1000),
    extend: serviceAccounts.extendExpiration,
    bindsNodes: gates.enabled('ServiceAccountTokenNodeBinding'),
  };
}
