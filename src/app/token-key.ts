import { createPrivateKey, generateKeyPair, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../lib/make-folder.ts';

/** Makes a key that signs service-account tokens, and keeps it nowhere. @returns PEM */
export async function makeTokenKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * Loads `sa.key` from the certificate folder; the first start makes it.
 *
 * @returns PEM @throws Error when it is damaged: nothing that a new one signs would be worth what the old one signed.
 */
export async function ensureTokenKey(directory: string): Promise<string> {
  const path = join(directory, 'sa.key');
  const kept = await read(path);
  if (kept === undefined) {
    await makeFolder(directory, 0o700);
    return storeKey(path, await makeTokenKey());
  }
  try {
    createPrivateKey(kept);
  } catch (cause) {
    throw new Error(`${path} is damaged: restore it, or remove it to make all tokens invalid`, { cause });
  }
  return kept;
}

/** Whole or not at all, and never over another's: of several servers that start at once, all use the first one's. */
async function storeKey(path: string, key: string): Promise<string> {
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, key, { mode: 0o600 });
  try {
    await link(own, path);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(path, 'utf8');
  } finally {
    await rm(own, { force: true });
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
