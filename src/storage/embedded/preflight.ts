import * as fs from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';
import { PAGE_SIZE } from './layout.ts';

export const DATA_FILE = 'data.mdb';
const LOCK_FILE = 'lock.mdb';

/** LMDB's lock file and a new store need a little; mapped files on a full disk end the process with SIGBUS. */
const NEEDED_BYTES = 1024 * 1024;

/**
 * Finds out by itself whether LMDB could open a directory. The driver (lmdb 3.5.6) frees its environment twice when
 * that fails, which ends the process without a word, and LMDB trusts a file to be as long as it says.
 *
 * @throws StorageError `corrupt`, `noSpace`; what the file system throws.
 */
export function refuseUnusable(directory: string): void {
  fs.accessSync(directory, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  const dataFile = join(directory, DATA_FILE);
  const isStore = isUsableFile(dataFile);
  if (isStore) refuseForeignBytes(dataFile);
  if (!isUsableFile(join(directory, LOCK_FILE)) || !isStore) refuseFullDisk(directory);
}

function isUsableFile(path: string): boolean {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isFile()) throw new StorageError('corrupt', `${path} is no file`);
  fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK);
  return true;
}

function refuseFullDisk(directory: string): void {
  const { bavail, bsize } = fs.statfsSync(directory);
  if (bavail * bsize >= NEEDED_BYTES) return;
  throw new StorageError('noSpace', `the disk of ${directory} is full`);
}

// The two pages that LMDB's file begins with, of which the one with the higher transaction is valid.
const MAGIC = 0xbeefc0de;
const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;

function refuseForeignBytes(dataFile: string): void {
  const metas = Buffer.alloc(2 * PAGE_SIZE);
  const descriptor = fs.openSync(dataFile, 'r');
  let size: number;
  try {
    fs.readSync(descriptor, metas, 0, metas.length, 0);
    size = fs.fstatSync(descriptor).size;
  } finally {
    fs.closeSync(descriptor);
  }
  const [first, second] = [metas.subarray(0, PAGE_SIZE), metas.subarray(PAGE_SIZE)];
  for (const meta of [first, second]) {
    if (meta.readUInt32LE(MAGIC_AT) === MAGIC && meta.readUInt32LE(PAGE_SIZE_AT) === PAGE_SIZE) continue;
    throw new StorageError('corrupt', `${dataFile} is no store`);
  }
  const isFirst = first.readBigUInt64LE(TRANSACTION_AT) >= second.readBigUInt64LE(TRANSACTION_AT);
  const pages = (isFirst ? first : second).readBigUInt64LE(LAST_PAGE_AT) + 1n;
  if (BigInt(size) >= pages * BigInt(PAGE_SIZE)) return;
  throw new StorageError(
    'corrupt',
    `${dataFile} has ${size} bytes of ${pages * BigInt(PAGE_SIZE)}: it was cut`,
  );
}
