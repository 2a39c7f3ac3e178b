import type { FlagValues } from './flag-values.ts';

/** Others that say who users are: OpenID Connect issuers, a webhook, proxies. */
export interface ProviderOptions {
  readonly oidc: OidcOptions;
  /** Of `--authentication-config`. */
  readonly configurationFile: string;
  readonly webhook: TokenWebhookOptions;
  readonly proxies: ProxyOptions;
}

export interface OidcOptions {
  /** '' where OpenID Connect is not configured by flags. */
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly caFile: string;
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly signingAlgorithms: readonly string[];
  readonly requiredClaims: ReadonlyMap<string, string>;
}

export interface TokenWebhookOptions {
  /** A kubeconfig; '' for none. */
  readonly configurationFile: string;
  /** Of TokenReview. */
  readonly version: string;
  readonly cacheTtlMs: number;
}

/** Proxies that authenticate users and name them in headers. */
export interface ProxyOptions {
  /** '' where there are none. */
  readonly clientCaFile: string;
  /** Common names; none: all that the authority vouches for. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export function readProviders(flags: FlagValues): ProviderOptions {
  return {
    oidc: {
      issuerUrl: flags.text('oidc-issuer-url'),
      clientId: flags.text('oidc-client-id'),
      caFile: flags.text('oidc-ca-file'),
      usernameClaim: flags.text('oidc-username-claim'),
      usernamePrefix: flags.text('oidc-username-prefix'),
      groupsClaim: flags.text('oidc-groups-claim'),
      groupsPrefix: flags.text('oidc-groups-prefix'),
      signingAlgorithms: flags.list('oidc-signing-algs'),
      requiredClaims: flags.map('oidc-required-claim'),
    },
    configurationFile: flags.text('authentication-config'),
    webhook: {
      configurationFile: flags.text('authentication-token-webhook-config-file'),
      version: flags.text('authentication-token-webhook-version'),
      cacheTtlMs: flags.number('authentication-token-webhook-cache-ttl'),
    },
    proxies: {
      clientCaFile: flags.text('requestheader-client-ca-file'),
      allowedNames: flags.list('requestheader-allowed-names'),
      usernameHeaders: flags.list('requestheader-username-headers'),
      uidHeaders: flags.list('requestheader-uid-headers'),
      groupHeaders: flags.list('requestheader-group-headers'),
      extraHeaderPrefixes: flags.list('requestheader-extra-headers-prefix'),
    },
  };
}

/** What is wrong with the flags of proxies. @param uid whether the gate of headers with uids is open. */
export function checkProxies({ uidHeaders, ...proxies }: ProxyOptions, uid: boolean): string[] {
  const { allowedNames, usernameHeaders, groupHeaders, extraHeaderPrefixes } = proxies;
  const lists = {
    'requestheader-allowed-names': allowedNames,
    'requestheader-username-headers': usernameHeaders,
    'requestheader-uid-headers': uidHeaders,
    'requestheader-group-headers': groupHeaders,
    'requestheader-extra-headers-prefix': extraHeaderPrefixes,
  };
  const blank = Object.entries(lists)
    .filter(([, list]) => list.some((one) => one.trim() === ''))
    .map(([flag]) => `--${flag} holds an empty name`);
  if (uidHeaders.length === 0) return blank;
  if (!uid)
    return [
      ...blank,
      '--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled',
    ];
  const standard = uidHeaders.some((one) => one.toLowerCase() === 'x-remote-uid');
  return standard ? blank : [...blank, '--requestheader-uid-headers lacks the standard X-Remote-Uid'];
}
