import { randomUUID } from 'node:crypto';
import type { CertificateSigner } from '../controllers/certificates/signing.ts';
import { systemClock } from '../lib/clock.ts';
import { makeFolder } from '../lib/make-folder.ts';
import type { Storage } from '../storage/port.ts';
import { openAdmissionSettings, type OpenedSettings } from './admission-settings/open.ts';
import { openAuthorization, type Authorization } from './authorization/authorization.ts';
import { openIdentity, type ServerIdentity } from './identity.ts';
import { LateObjects } from './late-objects.ts';
import { openLog } from './log.ts';
import { createMetrics, type ServerMetrics } from './metrics/metrics.ts';
import { openNodeAgents, type OpenedNodeAgents } from './node-agents.ts';
import type { CompletedConfig } from './options/complete.ts';
import type { ServerCommons } from './server-commons.ts';
import type { ServerConfiguration, ServerSurroundings } from './surroundings.ts';
import { openSigners } from './signers.ts';
import { openStorage, type StorageParts } from './storage.ts';

/** What the flags name, read and opened, before anything is put together. */
export interface ServerParts extends ServerCommons {
  readonly newUid: () => string;
  readonly metrics: ServerMetrics;
  readonly objects: LateObjects;
  readonly identity: ServerIdentity;
  readonly signers: ReadonlyMap<string, CertificateSigner>;
  readonly nodeAgents: OpenedNodeAgents;
  readonly authorization: Authorization;
  readonly admissionSettings: OpenedSettings;
  readonly storage: Storage;
}

/** Reads the files that the flags name, makes those that are missing, and opens the store. @throws Error that says which flag is wrong */
export async function openParts(
  { config, names, warnings }: ServerConfiguration,
  surroundings: ServerSurroundings,
): Promise<ServerParts> {
  const { version, clock = systemClock, random = Math.random, newUid = randomUUID } = surroundings;
  const log = await openLog(config.logs, surroundings.writeLog, clock);
  for (const warning of warnings) log.warning(warning);
  await makeDataFolder(config);
  const objects = new LateObjects();
  const metrics = createMetrics({ profile: names.name, config, version, clock });
  const shared = { config, names, log, clock, random };
  const { certificates } = surroundings;
  const identity = await openIdentity(config, {
    ...shared,
    objects,
    observer: metrics.methods,
    certificates,
  });
  const signers = await openSigners({ config, names, clock, generated: identity.generated });
  const nodeAgents = await openNodeAgents({ config, names, clock, log: log.part('nodes') });
  const authorization = await openAuthorization({ ...shared, observer: metrics.authorizers });
  const admissionSettings = await openAdmissionSettings({ config, names, clock });
  const storage = await openStorage(config, storageParts({ log, clock }), surroundings.store);
  const files = { identity, signers, nodeAgents, authorization, admissionSettings };
  return { ...shared, newUid, metrics, objects, ...files, storage };
}

/** @throws Error that names the flag. */
async function makeDataFolder({ dataDirectory }: CompletedConfig): Promise<void> {
  try {
    await makeFolder(dataDirectory, 0o700);
  } catch (cause) {
    throw new Error(`--data-dir: ${dataDirectory} can not be made`, { cause });
  }
}

/** What a store is lent. */
export function storageParts({ log, clock }: Pick<ServerParts, 'log' | 'clock'>): StorageParts {
  const part = log.part('storage');
  return {
    clock,
    log: (level, message, fields) =>
      level === 'warn' ? part.warning(message, fields) : part.info(message, fields),
  };
}
