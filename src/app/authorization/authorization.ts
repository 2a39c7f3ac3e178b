import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Authorizer } from '../../authz/authorizer.ts';
import { explainer, type Explain } from '../../authz/explain/explain.ts';
import { PolicyIndex } from '../../authz/rbac/policy-index.ts';
import { requireAccessBy } from '../../authz/require-access.ts';
import type { UserRules } from '../../authz/rules.ts';
import type { Clock } from '../../lib/clock.ts';
import type { UserInfo } from '../../request/context.ts';
import { followOnDemand, whenReady, type Following } from '../../store/following.ts';
import { followFile } from '../follow-file.ts';
import { openChain, type Chain } from './chain.ts';
import { parseAuthorizers, readConfigured, type Configured } from './configured.ts';
import { openFixedModes, type FixedModes } from './fixed-modes.ts';
import { followRoles, type FollowParts } from './follow-roles.ts';
import { openNodeMode } from './nodes.ts';
import type { AuthorizationParts } from './parts.ts';

/** Who may do what, as `--authorization-mode` or `--authorization-config` says. */
export interface Authorization {
  readonly authorize: Authorizer;
  /** What users may be told of who may do what. */
  readonly rulesFor: (user: UserInfo, namespace: string) => Promise<UserRules>;
  /** Why something is allowed or not, for those who may know. */
  readonly explain: Explain;
  /** Roles and bindings, to be kept up to date: what they may be made to grant is checked in every mode. */
  readonly policy: PolicyIndex;
  /** Resolves once `policy` has what the store has. */
  readonly known: () => Promise<void>;
  /**
   * Keeps what decisions are made by as the store has it, from when the first needs it; none is made before it is known.
   * Follows the file of authorizers, too.
   */
  follow(parts: FollowParts): Following;
}

/** Puts the authorizers together. @throws Error that names the flag of a file that can't be used. */
export async function openAuthorization(parts: AuthorizationParts): Promise<Authorization> {
  const configured = await readConfigured(parts.config.authorization, parts.names);
  const types = configured.authorizers.map(({ type }) => type);
  const policy = new PolicyIndex();
  let following: Following | undefined;
  const known = whenReady(() => following);
  const nodes = types.includes('Node')
    ? openNodeMode(parts.config, parts.names, (...change) => parts.observer.graphChanged(...change))
    : undefined;
  const fixed = await openFixedModes(types, parts, { policy, known, nodes });
  const current = new CurrentChain(await openChain(configured.authorizers, fixed, parts), parts.clock);
  const authorize: Authorizer = (request) => current.chain.authorize(request);
  return {
    authorize,
    explain: explainer({
      index: policy,
      known: async () => known(),
      opinions: (request) => current.chain.opinions(request),
      requireAccess: requireAccessBy(authorize),
      groups: { authorization: parts.names.get('group.authorization'), rbac: parts.names.get('group.rbac') },
    }),
    async rulesFor(user, namespace) {
      await known();
      return current.chain.rulesFor(user, namespace);
    },
    policy,
    known: async () => known(),
    follow(from) {
      following = followOnDemand(() => followRoles(from, policy));
      const stop = followConfigured(configured, { fixed, current, parts });
      return followAll(following, nodes?.follow(from), () => {
        stop();
        current.close();
      });
    },
  };
}

/** Only the roles are something that a start waits for. */
function followAll(roles: Following, graph: Following | undefined, close: () => void): Following {
  return {
    get ready() {
      return roles.ready;
    },
    close() {
      roles.close();
      graph?.close();
      close();
    },
  };
}

/** As long as a webhook may take. */
const LAST_ANSWERS_MS = 30_000;

/** The authorizers that decide now. */
class CurrentChain {
  chain: Chain;
  readonly #clock: Clock;

  constructor(chain: Chain, clock: Clock) {
    this.chain = chain;
    this.#clock = clock;
  }

  /** What is being asked of the old ones is still answered. */
  replace(chain: Chain): void {
    const old = this.chain;
    this.chain = chain;
    this.#clock.after(LAST_ANSWERS_MS, () => void old.close());
  }

  close(): void {
    void this.chain.close();
  }
}

interface Reloading {
  readonly fixed: FixedModes;
  readonly current: CurrentChain;
  readonly parts: AuthorizationParts;
}

/** Takes what the file of authorizers comes to hold. A bad one leaves all as it is. @returns what ends it. */
function followConfigured({ text }: Configured, { fixed, current, parts }: Reloading): () => void {
  if (text === undefined) return () => undefined;
  const { names, observer, clock } = parts;
  const path = parts.config.authorization.configFile;
  const log = parts.log.part('authorization');
  const server = `sha256:${createHash('sha256').update(`apiserver-${hostname()}`).digest('hex')}`;
  const tell = (succeeded: boolean): void => observer.reloaded(server, succeeded, clock.now() / 1000);
  const onError = (error: unknown): void => {
    tell(false);
    log.error('the new authorizers can not be used: the old ones stay', error, { path });
  };
  tell(true);
  return followFile({
    ...{ path, text, clock, onError },
    async onText(now) {
      try {
        const authorizers = await parseAuthorizers(now, names);
        const missing = [...fixed.keys()].filter((type) => !authorizers.some((one) => one.type === type));
        if (missing.length > 0) throw new Error(`missing required types: ${missing.join(', ')}`);
        current.replace(await openChain(authorizers, fixed, parts));
        tell(true);
        log.info('new authorizers are used', { path });
      } catch (error) {
        onError(error);
      }
      return true;
    },
  });
}
