import { randomUUID } from 'node:crypto';
import { impersonatedUser, impersonationChecks, readImpersonation } from '../authn/impersonation.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { accessDenied } from '../authz/forbidden.ts';
import { createGateway, type FurtherFilters, type Gateway } from '../http/gateway.ts';
import type { ReadImpersonation } from '../http/filters/impersonation.ts';
import type { StreamParts } from '../http/relay/streams.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { Storage } from '../storage/port.ts';
import type { Verbs } from '../verbs/verbs.ts';
import type { ControlPlane } from './control-plane.ts';
import type { ServerIdentity } from './identity.ts';
import type { ServerMetrics } from './metrics/metrics.ts';
import { createPaths } from './paths.ts';
import type { ServerCommons } from './server-commons.ts';
import type { StartHooks } from './start-hooks.ts';
import { RELEASE_NAME, type BuildVersion } from './version.ts';

/** What the HTTP side of the server is made of. */
export interface ServerGatewayParts extends ServerCommons {
  readonly schemas: SchemaRegistry;
  readonly storage: Storage;
  readonly plane: ControlPlane;
  readonly identity: ServerIdentity;
  readonly authorize: Authorizer;
  readonly metrics: ServerMetrics;
  readonly hooks: StartHooks;
  readonly version: BuildVersion;
  /** How requests are passed on to other servers. */
  readonly relay: StreamParts;
  readonly filters: FurtherFilters | undefined;
  readonly wrapVerbs: ((verbs: Verbs) => Verbs) | undefined;
}

/** Reads whom requests want to be. */
function impersonationOf(group: string): ReadImpersonation {
  return (rawHeaders) => {
    const asked = readImpersonation(rawHeaders);
    if (asked === undefined) return undefined;
    return { checks: impersonationChecks(asked, group), user: impersonatedUser(asked) };
  };
}

/** Puts the HTTP side together as the flags say; it doesn't listen yet. */
export function createServerGateway(parts: ServerGatewayParts): Gateway {
  const { config, names, schemas, plane, identity, authorize, metrics, clock, log } = parts;
  const { requests, serving, shutdown } = config;
  return createGateway({
    clock,
    newId: randomUUID,
    random: parts.random,
    log: (message, { auditId, error }) => log.error(message, error, { auditId }),
    tls: identity.tls,
    ...(serving.http2Streams === 0 ? {} : { limits: { streams: serving.http2Streams } }),
    names: {
      metaGroup: names.get('group.meta'),
      tokenProtocolPrefix: names.get('protocol.bearer-token-prefix'),
      audit: {
        decision: names.get('audit.decision'),
        reason: names.get('audit.reason'),
        method: names.get('audit.authentication-method'),
      },
      initialEventsEnd: names.get('annotation.initial-events-end'),
      initialEventsListBlueprint: names.get('annotation.initial-events-list-blueprint'),
    },
    authenticate: metrics.authentication(identity.authentication.authenticate),
    methodOf: identity.authentication.methodOf,
    impersonate: impersonationOf(names.get('group.authentication')),
    access: {
      authorize: metrics.authorization(authorize),
      denied: accessDenied,
    },
    release: RELEASE_NAME,
    find: (group, version, resource) => schemas.resource(group, version, resource),
    servesGroup: (group) => plane.servesGroup(group),
    verbs: parts.wrapVerbs?.(plane.verbs) ?? plane.verbs,
    ...(parts.filters === undefined ? {} : { filters: parts.filters }),
    forms: plane.forms,
    relay: parts.relay,
    encodings: plane.encodings,
    compresses: config.gates.enabled('APIResponseCompression'),
    paths: (path) => createPaths({ ...parts, store: plane.store }, path),
    observer: metrics.gateway,
    requestTimeoutMs: requests.timeoutMs,
    shutdown: {
      delayMs: shutdown.delayMs,
      graceMs: Math.max(shutdown.watchGraceMs, requests.timeoutMs),
      sendRetryAfter: shutdown.sendRetryAfter,
    },
    goAwayChance: requests.goawayChance,
  });
}
