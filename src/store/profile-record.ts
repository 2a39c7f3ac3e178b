import type { ProfileName } from '../names/profile.ts';
import { StorageError } from '../storage/errors.ts';
import { prefixEnd, type KeyValue, type Storage } from '../storage/port.ts';

/** Below the root of all keys; no resource has this prefix, so the Go API server never looks there. */
const RECORD_PATH = '/orch/naming-profile';

/** The store belongs to servers of another naming profile. */
export class ProfileMismatchError extends Error {
  override readonly name = 'ProfileMismatchError';
}

/**
 * Makes sure that the store is kept under this naming profile, and records it in a store that is new. A store that the
 * Go API server wrote has no record and the `kubernetes` names: it is taken over by that profile only.
 *
 * @throws ProfileMismatchError, StorageError.
 */
export async function claimProfile(storage: Storage, root: string, profile: ProfileName): Promise<void> {
  const key = root + RECORD_PATH;
  const [known] = (await storage.range({ start: key })).items;
  if (known !== undefined) {
    check(known, profile);
    return;
  }
  if (profile !== 'kubernetes' && (await hasObjects(storage, root))) {
    throw new ProfileMismatchError(
      `the store below ${root} was written by a server with the names of Kubernetes (--naming=kubernetes), ` +
        `not those of ${profile}: use another store, another --etcd-prefix, or --naming=kubernetes`,
    );
  }
  const written = await storage.create(key, Buffer.from(`${JSON.stringify({ profile })}\n`));
  if (!written.ok && written.current !== undefined) check(written.current, profile);
}

async function hasObjects(storage: Storage, root: string): Promise<boolean> {
  const start = `${root}/`;
  const { items } = await storage.range({ start, end: prefixEnd(start), limit: 1, keysOnly: true });
  return items.length > 0;
}

function check(record: KeyValue, profile: ProfileName): void {
  const recorded = parse(record);
  if (recorded === profile) return;
  throw new ProfileMismatchError(
    `the store is kept under the naming profile ${JSON.stringify(recorded)}, this server runs with ` +
      `${JSON.stringify(profile)}: start it with --naming=${recorded}, or use another store`,
  );
}

function parse({ key, value }: KeyValue): string {
  try {
    const content = JSON.parse(value.toString()) as unknown;
    if (typeof content === 'object' && content !== null && 'profile' in content) {
      if (typeof content.profile === 'string') return content.profile;
    }
  } catch {
    // Told below.
  }
  throw new StorageError('corrupt', `the record of the naming profile at ${key} can not be read`);
}
