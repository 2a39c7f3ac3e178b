import { readFile } from 'node:fs/promises';
import { jwtAuthenticator } from '../../authn/oidc/authenticator.ts';
import { compileIssuers, usesExpressions, type CompiledJwt } from '../../authn/oidc/compile.ts';
import {
  readAuthenticationConfiguration,
  type AuthenticationConfiguration,
} from '../../authn/oidc/configuration.ts';
import { cachedTokens } from '../../authn/token-cache.ts';
import { forAudiences, type TokenAuthenticator } from '../../authn/token.ts';
import { forbidden, invalid, type FieldError } from '../../errors/field-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { withDeadline } from '../../outbound/deadline.ts';
import { fetchText } from '../../outbound/fetch-text.ts';
import { loadExpressions } from '../../schema/expressions/compile.ts';
import type { Log } from '../../telemetry/log/log.ts';
import { followFile } from '../follow-file.ts';
import type { AuthenticationObserver } from '../metrics/authentication.ts';
import type { ProviderOptions } from '../options/providers.ts';
import { oidcConfiguration } from './oidc-flags.ts';

export interface JwtParts {
  readonly providers: ProviderOptions;
  /** Whether `--anonymous-auth` was given. */
  readonly anonymousGiven: boolean;
  readonly names: NamingProfile;
  /** What this server is called in tokens. */
  readonly audiences: readonly string[];
  /** Of service accounts: nobody else may be one of them. */
  readonly ownIssuers: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: AuthenticationObserver;
}

/** Tokens of OpenID Connect, by flags or by a file. */
export interface JwtAuthentication {
  /** Undefined where no issuer is configured, nor can be. */
  readonly method: TokenAuthenticator | undefined;
  /** What the file says of requests without credentials. */
  readonly anonymous: AuthenticationConfiguration['anonymous'];
  close(): void;
}

const ALL_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];
/** Of documents of issuers. */
const FETCH = { timeoutMs: 10_000, maxBytes: 1 << 20 };
/** For how long the user of a token is remembered. */
const REMEMBER_MS = 10_000;
/** How long new issuers may take until they serve in place of the old ones. */
const READY_MS = 60_000;

/** @throws Error naming the flag whose file is missing or wrong. */
export async function openJwt(parts: JwtParts): Promise<JwtAuthentication> {
  const { configurationFile, oidc } = parts.providers;
  if (configurationFile !== '') return openFile(parts, configurationFile);
  if (oidc.issuerUrl === '') return { method: undefined, anonymous: undefined, close: () => undefined };
  const configuration = oidcConfiguration(oidc, await readAuthority(oidc.caFile));
  const issuers = await checked(configuration, parts);
  const { method } = await serve(issuers, parts, oidc.signingAlgorithms);
  return { method, anonymous: undefined, close: () => undefined };
}

async function readAuthority(path: string): Promise<string> {
  if (path === '') return '';
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(`--oidc-ca-file: ${path}`, { cause });
  }
}

async function openFile(parts: JwtParts, path: string): Promise<JwtAuthentication> {
  const { names, clock } = parts;
  let text: string;
  let configuration: AuthenticationConfiguration;
  let current: Serving;
  try {
    text = await readFile(path, 'utf8');
    configuration = readAuthenticationConfiguration(text, names);
    current = await serve(await checked(configuration, parts), parts, ALL_ALGORITHMS);
  } catch (cause) {
    throw new Error(`--authentication-config: ${path}`, { cause });
  }
  const { anonymous } = configuration;
  const log = parts.log.part('authentication');
  const refused = (message: string, error: unknown): void => {
    parts.observer.onReload('failure');
    log.error(`${message}: what was read before stays`, error, { file: path });
  };
  const close = followFile({
    ...{ path, text, clock },
    onError: (error) => refused('the authentication configuration can not be read', error),
    async onText(next) {
      let issuers: readonly CompiledJwt[];
      try {
        issuers = await checked(readAuthenticationConfiguration(next, names), parts, { anonymous });
      } catch (error) {
        refused('the authentication configuration is wrong', error);
        return true;
      }
      const serving = await serve(issuers, parts, ALL_ALGORITHMS);
      try {
        await withDeadline(clock, READY_MS, () => serving.ready());
      } catch (error) {
        refused('the new authentication configuration does not work', error);
        return false;
      }
      current = serving;
      parts.observer.onReload('success');
      log.info('reloaded the authentication configuration', { file: path });
      return true;
    },
  });
  return { method: (token, audiences) => current.method(token, audiences), anonymous, close };
}

interface Serving {
  readonly method: TokenAuthenticator;
  /** Waits for all issuers. @throws Error naming one that doesn't answer as it should. */
  ready(): Promise<void>;
}

const NOBODY: Serving = { method: () => Promise.resolve(undefined), ready: () => Promise.resolve() };

async function serve(
  issuers: readonly CompiledJwt[],
  { clock, names, audiences, observer, log }: JwtParts,
  algorithms: readonly string[],
): Promise<Serving> {
  if (issuers.length === 0) return NOBODY;
  const part = log.part('authentication');
  const authenticator = jwtAuthenticator(issuers, {
    ...{ algorithms, clock },
    jose: await import('jose'),
    fetchFor: (authority) => fetchText({ ...FETCH, clock, authority }),
    credentialKey: names.get('userExtra.credential-id'),
    onFailure: (issuer, error) => part.error('the keys of an issuer can not be had', error, { issuer }),
    observe: (issuer, result, seconds) => observer.onJwt(issuer, result, seconds),
  });
  // Keys are asked for at once, so that the first token needn't wait; what becomes of that is logged.
  authenticator.ready().catch(() => undefined);
  const method = forAudiences(audiences, (token) => authenticator.authenticate(token));
  const settings = { successMs: REMEMBER_MS, failureMs: 0, clock, observer: observer.tokenCache };
  return { method: cachedTokens(method, settings), ready: () => authenticator.ready() };
}

/** What a file said at the start, where it is read again. */
interface Before {
  readonly anonymous: AuthenticationConfiguration['anonymous'];
}

/** The issuers of a configuration. @throws Error with everything that is wrong with it. */
async function checked(
  configuration: AuthenticationConfiguration,
  { names, ownIssuers, anonymousGiven }: JwtParts,
  before?: Before,
): Promise<readonly CompiledJwt[]> {
  const { jwt, anonymous } = configuration;
  const { compiled, errors } = compileIssuers(jwt, {
    compiler: usesExpressions(jwt) ? await loadExpressions() : NO_EXPRESSIONS,
    disallowedIssuers: ownIssuers,
    reservedDomains: [...new Set([names.get('domain.groups'), names.get('domain.labels')])],
  });
  const all = [...errors, ...checkAnonymous(anonymous, anonymousGiven, before)];
  if (all.length === 0) return compiled;
  const texts = all.map(({ field, message }) => `${field}: ${message}`);
  throw new Error(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
}

const NO_EXPRESSIONS = {
  compile(): never {
    throw new Error('expressions have not been loaded');
  },
};

function checkAnonymous(
  anonymous: AuthenticationConfiguration['anonymous'],
  given: boolean,
  before: Before | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  if (anonymous !== undefined && given) {
    const detail =
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    errors.push(forbidden('anonymous', detail));
  }
  if (anonymous?.enabled === false && anonymous.conditions.length > 0) {
    const conditions = anonymous.conditions.map(({ path }) => ({ path }));
    const detail = 'enabled should be set to true when conditions are defined';
    errors.push(invalid('anonymous.conditions', conditions, detail));
  }
  if (before !== undefined && JSON.stringify(before.anonymous) !== JSON.stringify(anonymous)) {
    errors.push(forbidden('anonymous', 'changed from initial configuration file'));
  }
  return errors;
}
