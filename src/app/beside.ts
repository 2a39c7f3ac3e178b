import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { AssembledServer } from './assemble.ts';
import { startControllers, type RunningControllers } from './controllers.ts';
import { startLater } from './controllers-later.ts';
import { IdentityLease } from './identity-lease.ts';
import { storageParts, type ServerParts } from './open-parts.ts';
import { OwnService } from './own-service.ts';
import type { ServerSurroundings } from './surroundings.ts';
import { followServingCertificate } from './serving-certificate.ts';
import { CONTROLLER_HOOKS, IDENTITY_HOOKS } from './start-steps.ts';
import { startCompaction } from './storage.ts';

/** What a server does beside answering requests. */
export interface Beside {
  /** Takes part in the servers' own service. */
  readonly ownService: OwnService;
  readonly controllers: RunningControllers;
  readonly stopCompaction: () => Promise<void>;
  /** Ends what follows files, and says no longer who this server is. */
  readonly stopFollowing: () => void;
}

/** Begins it all, in the order in which others count on it. */
export async function startBeside(
  parts: ServerParts,
  server: AssembledServer,
  { port, surroundings }: { readonly port: number; readonly surroundings: ServerSurroundings },
): Promise<Beside> {
  const { prepared = false, controllersWait } = surroundings;
  const { source, plane } = server;
  const ownService = new OwnService({ ...parts, source, port, freeUnused: plane.freeUnused });
  if (!prepared) await ownService.start();
  const identityLease = openIdentityLease(parts, server);
  if (identityLease !== undefined && !prepared)
    server.hooks.begin(IDENTITY_HOOKS, () => identityLease.start());
  const begin = (): RunningControllers => beginControllers(parts, server);
  const controllers = controllersWait === undefined ? begin() : startLater(controllersWait, begin);
  const stopCompaction = await startCompaction(parts.config, parts.storage, storageParts(parts));
  const stopFiles = followFiles(parts, server);
  const stopFollowing = (): void => {
    stopFiles();
    identityLease?.stop();
  };
  return { ownService, controllers, stopCompaction, stopFollowing };
}

function openIdentityLease(
  { config, names, clock, log, storage }: ServerParts,
  { source }: AssembledServer,
): IdentityLease | undefined {
  if (!config.gates.enabled('APIServerIdentity')) return undefined;
  const { shared } = storage.capabilities;
  const own = { hostname: hostname(), uid: randomUUID(), shared };
  return new IdentityLease({ names, source, clock, log: log.part('identity'), ...own });
}

function beginControllers(
  parts: ServerParts,
  { hooks, schemas, plane }: AssembledServer,
): RunningControllers {
  const { authority, authorities, tokenIssuer } = parts.identity;
  const { authorize } = parts.authorization;
  const identity = `${hostname()}_${randomUUID()}`;
  const own = { schemas, plane, authorize, authority, authorities, tokenIssuer, identity };
  return hooks.begin(CONTROLLER_HOOKS, () => startControllers({ ...parts, ...own }));
}

/** Certificates that are renewed are served without a restart. */
function followFiles(
  { config, identity, clock, log }: ServerParts,
  { gateway }: AssembledServer,
): () => void {
  const stopCertificate = followServingCertificate({
    ...{ config, current: identity.tls, clock, log },
    use: (pair) => gateway.setCertificate(pair),
  });
  const stopAuthorities = identity.authorities.follow({
    ...{ clock, log },
    use: (clientCa) => gateway.setCertificate({ clientCa }),
  });
  return () => {
    stopCertificate();
    stopAuthorities();
  };
}
