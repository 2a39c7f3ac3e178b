import { authenticateUnion, type Authenticator } from '../authn/authenticator.ts';
import { bootstrapTokens } from '../authn/bootstrap-token/authenticator.ts';
import { MethodNames } from '../authn/method-names.ts';
import { bearerTokens, forAudiences, tokenUnion, type TokenAuthenticator } from '../authn/token.ts';
import type { UserInfo } from '../request/context.ts';
import type { TokenQuestions } from '../registry/reviews/reviews.ts';
import { certificateMethods } from './authentication/certificate-methods.ts';
import { openJwt, type JwtAuthentication } from './authentication/jwt.ts';
import type { AuthenticationParts } from './authentication/parts.ts';
import { openTokenWebhook } from './authentication/token-webhook.ts';
import type { CompletedConfig } from './options/complete.ts';
import { openServiceAccountTokens } from './service-account-tokens.ts';

/** Who the server's clients are. */
export interface Authentication {
  readonly authenticate: ReturnType<typeof authenticateUnion>;
  /** All methods that go by a token, for those who review tokens. */
  readonly tokens: TokenQuestions;
  /** Ends what follows files. */
  close(): void;
  /** By which method a user was authenticated, as `authenticate` returned it. */
  readonly methodOf: (user: UserInfo) => string | undefined;
}

/** Puts the methods together that the flags switch on. @throws Error naming the flag whose file is wrong. */
export async function openAuthentication(
  config: CompletedConfig,
  parts: AuthenticationParts,
): Promise<Authentication> {
  const { log } = parts;
  const { providers, authentication, serviceAccounts } = config;
  const { anonymousGiven, apiAudiences: audiences } = authentication;
  const ownIssuers = serviceAccounts.issuers;
  const jwt = await openJwt({ ...parts, providers, anonymousGiven, audiences, ownIssuers });
  const webhook = await openTokenWebhook({ ...parts, options: providers.webhook, audiences });
  const others = [jwt.method, webhook?.method].filter((method) => method !== undefined);
  const authenticateToken = tokenUnion([...tokenMethods(config, parts, audiences), ...others]);
  const names = new MethodNames();
  const methods: Authenticator[] = [
    ...certificateMethods(providers.proxies, parts).map(([name, method]) => names.named(name, method)),
    names.named('bearer-token', bearerTokens(authenticateToken, audiences)),
  ];
  return {
    authenticate: authenticateUnion({
      methods,
      anonymous: anonymousRequests(jwt.anonymous) ?? authentication.anonymous,
      onRefusal: (reason) => log.v(3, () => ['a credential was refused', { reason }]),
    }),
    tokens: { authenticate: authenticateToken, audiences },
    close() {
      jwt.close();
      webhook?.close();
    },
    methodOf: (user) => names.of(user),
  };
}

/** What a configuration file says of requests without credentials. */
function anonymousRequests(said: JwtAuthentication['anonymous']): boolean | ReadonlySet<string> | undefined {
  if (said === undefined) return undefined;
  return said.enabled && said.conditions.length > 0
    ? new Set(said.conditions.map(({ path }) => path))
    : said.enabled;
}

/** The methods that go by a token, in the order in which they are asked. */
function tokenMethods(
  config: CompletedConfig,
  parts: AuthenticationParts,
  audiences: readonly string[],
): TokenAuthenticator[] {
  const { authentication } = config;
  const { files, names, objects, clock } = parts;
  const methods: TokenAuthenticator[] = [];
  if (files.tokens !== undefined) methods.push(forAudiences(audiences, files.tokens));
  methods.push(openServiceAccountTokens(config, parts));
  if (authentication.bootstrapTokens) {
    const secrets = { resource: 'secrets', namespace: names.get('namespace.system') };
    const method = bootstrapTokens({
      getSecret: (name) => objects.find({ ...secrets, name }),
      secretType: names.get('secretType.bootstrap-token'),
      now: () => clock.now(),
    });
    methods.push(forAudiences(audiences, method));
  }
  return methods;
}
