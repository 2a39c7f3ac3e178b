import type { TokenIssuer } from '../authn/service-account/issuer.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { quotaEvaluators } from '../admission/resource-quota/evaluators/evaluators.ts';
import { bootstrapSigner } from '../controllers/bootstrap-signer/controller.ts';
import { certificateApproving } from '../controllers/certificates/approving.ts';
import { certificateCleaning } from '../controllers/certificates/cleaning.ts';
import { certificateSigning, type CertificateSigner } from '../controllers/certificates/signing.ts';
import { clusterAuthenticationTrust } from '../controllers/cluster-authentication-trust/controller.ts';
import { clusterRoleAggregation } from '../controllers/clusterrole-aggregation/controller.ts';
import type { Controller, RunningController } from '../controllers/controller.ts';
import { definitionCleanup } from '../controllers/definition-cleanup/controller.ts';
import { disruption } from '../controllers/disruption/controller.ts';
import { danglingFlowSchemas } from '../controllers/flow-control/dangling.ts';
import { flowControlUpkeep } from '../controllers/flow-control/upkeep.ts';
import { garbageCollector } from '../controllers/garbage-collector/controller.ts';
import { legacyTokenCleaner } from '../controllers/legacy-serviceaccount-token-cleaner/controller.ts';
import { legacyTokenTracking } from '../controllers/legacy-token-tracking/controller.ts';
import { namespaceController } from '../controllers/namespace/controller.ts';
import { resourceQuotaController } from '../controllers/resource-quota/controller.ts';
import { rootCaPublisher } from '../controllers/root-ca-certificate-publisher/controller.ts';
import { serviceAccountController } from '../controllers/serviceaccount/controller.ts';
import { serviceAccountTokens } from '../controllers/serviceaccount-token/controller.ts';
import { tokenCleaner } from '../controllers/token-cleaner/controller.ts';
import { ttlAfterFinished } from '../controllers/ttl-after-finished/controller.ts';
import { claimProtection } from '../controllers/volume-protection/claims.ts';
import { volumeProtection } from '../controllers/volume-protection/volumes.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { InProcess } from '../verbs/in-process.ts';
import { bootstrapFlowControl, FLOW_CONTROL_MANAGER, flowControlNames } from './bootstrap-flow-control.ts';
import type { ClientAuthorities } from './client-authorities.ts';
import { serverAsAccount } from './controller-server.ts';
import type { ServerCommons } from './server-commons.ts';
import { serverItself } from './server-itself.ts';
import { signerNames } from './signers.ts';
import { leadControllers } from './controllers-lead.ts';
import type { ControlPlane } from './control-plane.ts';
import { controllerAccount, runsController } from './options/controllers.ts';

/** How long requests that were let in before something changed may take to be written, milliseconds. */
const OWN_LAG_MS = 100;
/** How long other servers on one store may take to learn of a change, besides. */
const OTHERS_LAG_MS = 1000;
/** How often quotas are counted anew, whatever happens, milliseconds. */
const QUOTA_RESYNC_MS = 300_000;

/** The controllers that there are. A new one is a line here; `--controllers` names it. */
function allControllers({
  config,
  names,
  authority,
  signers,
  tokenIssuer,
}: ControllersParts): readonly Controller[] {
  const lagMs = config.store === 'etcd' ? OTHERS_LAG_MS : OWN_LAG_MS;
  return [
    bootstrapSigner,
    certificateApproving,
    certificateCleaning,
    certificateSigning(signers, signerNames(names)),
    claimProtection,
    clusterRoleAggregation,
    disruption,
    garbageCollector,
    legacyTokenCleaner,
    namespaceController(lagMs),
    resourceQuotaController({
      evaluatorOf: quotaEvaluators(names, config.gates.enabled('DynamicResourceAllocation')),
      lagMs,
      resyncMs: QUOTA_RESYNC_MS,
    }),
    rootCaPublisher(authority),
    serviceAccountController,
    serviceAccountTokens({
      authority,
      issue: (account, secret) => tokenIssuer.issueLegacyToken(account, secret),
    }),
    tokenCleaner,
    ttlAfterFinished,
    volumeProtection,
  ];
}

/**
 * The controllers of every server, whatever `--controllers` says and whoever leads, since those who run other controllers
 * count on them: they tell what only a server knows.
 */
function ownControllers(parts: ControllersParts): readonly Controller[] {
  const { config, authorities, names, schemas, plane } = parts;
  const server = serverItself(plane.verbs, FLOW_CONTROL_MANAGER);
  const flowControl = { names, schemas, store: plane.store, server };
  const { proxies } = config.providers;
  return [
    clusterAuthenticationTrust({
      current: () => ({
        ...proxies,
        clients: authorities.text('clients'),
        proxies: authorities.text('proxies'),
      }),
      onChange: (changed) => authorities.onChange(changed),
    }),
    danglingFlowSchemas,
    definitionCleanup,
    flowControlUpkeep({ names: flowControlNames(names), ensure: () => bootstrapFlowControl(flowControl) }),
    legacyTokenTracking,
  ];
}

export interface ControllersParts extends ServerCommons {
  readonly schemas: SchemaRegistry;
  readonly plane: ControlPlane;
  readonly authorize: Authorizer;
  /** This server's, among all that share the store. */
  readonly identity: string;
  /** The authority by which workloads know the server, PEM. */
  readonly authority: string;
  /** Who vouches for clients and for proxies. */
  readonly authorities: ClientAuthorities;
  /** Who signs certificates, by the signers' names. */
  readonly signers: ReadonlyMap<string, CertificateSigner>;
  readonly tokenIssuer: TokenIssuer;
}

export interface RunningControllers {
  /** Resolves once they have looked at what there was when they began, those aside that another server may lead. */
  readonly settled: Promise<void>;
  /** Stops them, and lets the next server lead. */
  stop(): Promise<void>;
}

/**
 * Starts the controllers that `--controllers` asks for: at once where the store is this process's own, else when this
 * server leads.
 */
export function startControllers(parts: ControllersParts): RunningControllers {
  const wanted = allControllers(parts).filter(({ name }) => runsController(parts.config.controllers, name));
  const serverOf = (name: string): InProcess => serverFor(name, parts);
  const own = startAll(ownControllers(parts), parts, (name) => serverItself(parts.plane.verbs, name));
  if (wanted.length > 0 && parts.config.store === 'etcd') {
    const start = (): (() => void) => startAll(wanted, parts, serverOf).close;
    const giveUp = leadControllers({ ...parts, server: serverItself(parts.plane.verbs, 'orch'), start });
    return {
      settled: own.settled,
      stop() {
        own.close();
        return giveUp();
      },
    };
  }
  const others = startAll(wanted, parts, serverOf);
  return {
    settled: Promise.all([own.settled, others.settled]).then(() => undefined),
    stop() {
      own.close();
      others.close();
      return Promise.resolve();
    },
  };
}

/** What a controller writes through: as the server itself or, where that is wanted, as its own service account. */
function serverFor(controller: string, parts: ControllersParts): InProcess {
  const account = parts.config.controllersHaveAccounts ? controllerAccount(controller) : undefined;
  return account === undefined
    ? serverItself(parts.plane.verbs, controller)
    : serverAsAccount(parts, account, controller);
}

function startAll(
  controllers: readonly Controller[],
  parts: ControllersParts,
  serverOf: (controller: string) => InProcess,
): { readonly settled: Promise<void>; readonly close: () => void } {
  const { names, schemas, plane, clock } = parts;
  const running: RunningController[] = [];
  const close = (): void => {
    for (const controller of running) controller.close();
  };
  const log = parts.log.part('controllers');
  for (const controller of controllers) {
    const server = serverOf(controller.name);
    try {
      running.push(controller.start({ store: plane.store, schemas, names, clock, server, log }));
    } catch (error) {
      // What it works on may have been switched off (--runtime-config): the server serves without it.
      log.error('a controller does not run', error, { controller: controller.name });
    }
  }
  const settled = Promise.all(running.flatMap((controller) => controller.settled ?? [])).then(
    () => undefined,
  );
  return { settled, close };
}
