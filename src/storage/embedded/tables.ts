import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { open } from 'lmdb';
import type { Database, Key, PutOptions, RootDatabase, RootDatabaseOptions } from 'lmdb';
import { StorageError } from '../errors.ts';
import { settled, translateError } from './errors.ts';
import { FORMAT_VERSION, PAGE_SIZE, leaseKey, leasedKey, olderKey, positionKey, textKey } from './layout.ts';
import type { KeyCodec, Position } from './layout.ts';
import { refuseSecondOwner } from './lock.ts';
import { DATA_FILE, refuseUnusable } from './preflight.ts';

export type Table<K extends Key> = Database<Buffer, K>;

/** A table whose keys only rise. (The driver's put takes options, which its types leave out.) */
export interface LogTable extends Table<Position> {
  put(key: Position, value: Buffer, options?: PutOptions | number): Promise<boolean>;
}

/** The open LMDB file; see layout.ts for what is in each table. */
export interface Tables {
  readonly root: RootDatabase<Buffer, string>;
  readonly log: LogTable;
  readonly keys: Table<string>;
  readonly older: Table<[key: string, revision: number]>;
  readonly gone: Table<string>;
  readonly leases: Table<string>;
  readonly leased: Table<[lease: string, key: string]>;
  readonly meta: Table<string>;
  /** Random, made with the store: two directories never have the same, but where one is a copy of the other. */
  readonly storeId: string;
  /** The file with everything in it. */
  readonly dataFile: string;
}

export interface TablesOptions {
  readonly directory: string;
  /** Address space reserved for the file, bytes; it grows beyond that by itself. */
  readonly mapSize: number;
  readonly sync: 'full' | 'none';
}

/**
 * Opens the store's file, makes it where there is none, and takes possession of it.
 *
 * @throws StorageError `unavailable` when another process has it open, `corrupt` when it isn't ours or of a format
 *   that this program doesn't know, `noSpace`.
 */
export async function openTables(options: TablesOptions): Promise<Tables> {
  const dataFile = join(options.directory, DATA_FILE);
  let root: RootDatabase<Buffer, string> | undefined;
  try {
    // Secrets are in there: nobody else may look.
    const made = fs.mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    refuseUnusable(options.directory);
    if (!fs.existsSync(dataFile)) {
      await createStore(options, dataFile);
      if (options.sync === 'full') syncUpTo(dirname(made ?? options.directory), options.directory);
    }
    root = openRoot(options);
    refuseSecondOwner(root.readerList(), options.directory, false);
    refuseForeignFile(root, options.directory);
    const storeId = identify(openTable(root, 'meta', textKey), options.directory);
    refuseSecondOwner(root.readerList(), options.directory, true);
    // A killed predecessor may not have seen everything synced that is found now. It is about to be shown to readers,
    // and must not be taken back by a power cut. (To open and close data.mdb is harmless, but lock.mdb must never be
    // touched: closing any descriptor of it would drop LMDB's locks.)
    if (options.sync === 'full') syncPath(dataFile);
    return { ...openAll(root), root, storeId, dataFile };
  } catch (error) {
    await root?.close();
    throw translateError(error, 'unavailable');
  }
}

/**
 * Makes an empty store aside and then puts it in place at once: a power cut leaves all of it or nothing, and of two
 * processes that do this at the same time one finds the other's and uses that.
 */
async function createStore(options: TablesOptions, dataFile: string): Promise<void> {
  const aside = fs.mkdtempSync(join(options.directory, 'new-'));
  try {
    // The driver never forgets what it has opened, by the last part of the path: that is the same for all.
    const directory = join(aside, 'store');
    fs.mkdirSync(directory);
    const root = openRoot({ ...options, directory });
    const { meta } = openAll(root);
    const written = root.batch(() => {
      void meta.put('format', Buffer.from(`${FORMAT_VERSION}`));
      void meta.put('id', Buffer.from(randomBytes(8).toString('hex')));
    });
    await settled(written).finally(() => root.close());
    fs.linkSync(join(directory, DATA_FILE), dataFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(aside, { recursive: true });
  }
}

/** Up to here a file is copied faster than LMDB, which writes past the system's cache, would write a copy of it. */
const SMALL_BYTES = 64 * 1024 * 1024;

/**
 * Copies the file, as of one transaction, into a directory in which there is no store yet. Made aside and put in place at
 * once, like a new store.
 *
 * @param unwritten runs something while no transaction is under way: only a small file is copied so, since writers wait.
 * @throws what LMDB and the file system throw; Error with the code EEXIST where there is a store.
 */
export async function copyTables(
  { root, dataFile }: Tables,
  directory: string,
  unwritten: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (fs.statSync(dataFile).size > SMALL_BYTES) return copyByDriver(root, directory);
  const aside = join(directory, `new-${randomBytes(4).toString('hex')}`);
  try {
    await unwritten(() => copyFile(dataFile, aside, fs.constants.COPYFILE_FICLONE));
    fs.linkSync(aside, join(directory, DATA_FILE));
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

async function copyByDriver(root: Tables['root'], directory: string): Promise<void> {
  const aside = fs.mkdtempSync(join(directory, 'new-'));
  try {
    await root.backup(aside, false);
    fs.chmodSync(join(aside, DATA_FILE), 0o600);
    fs.linkSync(join(aside, DATA_FILE), join(directory, DATA_FILE));
  } finally {
    fs.rmSync(aside, { recursive: true });
  }
}

function openAll(root: RootDatabase) {
  return {
    log: openTable<Position>(root, 'log', positionKey),
    keys: openTable(root, 'keys', textKey),
    older: openTable<[string, number]>(root, 'older', olderKey),
    gone: openTable(root, 'gone', textKey),
    leases: openTable(root, 'leases', leaseKey),
    leased: openTable<[string, string]>(root, 'leased', leasedKey),
    meta: openTable(root, 'meta', textKey),
  };
}

/**
 * LMDB's plain mode: a transaction is on disk before anyone sees it. The driver's default (`overlappingSync`) shows it
 * first and syncs later, which measured no faster here, where one transaction is under way at a time, and would leave
 * a revision that a reader saw and a power cut took back.
 */
function openRoot({ directory, mapSize, sync }: TablesOptions): RootDatabase<Buffer, string> {
  const options: RootDatabaseOptions & { permissionsMode: number } = {
    noSubdir: false,
    encoding: 'binary',
    pageSize: PAGE_SIZE,
    mapSize,
    maxDbs: 8,
    // One for every snapshot that somebody reads from; without a free one nothing could be published.
    maxReaders: 4096,
    overlappingSync: false,
    noSync: sync === 'none',
    // Batches are the writer's business; the driver's own batching would add a turn of the event loop to each.
    eventTurnBatching: false,
    permissionsMode: 0o600,
  };
  return open<Buffer, string>(directory, options);
}

function openTable<K extends Key>(root: RootDatabase, name: string, keyEncoder: KeyCodec<K>): Table<K> {
  const options: RootDatabaseOptions = { encoding: 'binary', keyEncoder };
  return root.openDB<Buffer, K>(name, options);
}

/** An LMDB file of another program stays as it is. */
function refuseForeignFile(root: RootDatabase, directory: string): void {
  if ([...root.getKeys()].includes('meta')) return;
  throw new StorageError('corrupt', `${directory} holds an LMDB file of another program`);
}

/** Checks the store's format. @returns its id. */
function identify(meta: Table<string>, directory: string): string {
  const format = meta.get('format')?.toString();
  if (format === `${FORMAT_VERSION}`) return meta.get('id')?.toString() ?? '';
  throw new StorageError(
    'corrupt',
    `the store in ${directory} has format ${format ?? '(none)'}, and this program knows ${FORMAT_VERSION}: ` +
      'another version wrote it',
  );
}

/** Makes a directory's entries last, and those of the directories above it that were made for it. */
function syncUpTo(top: string, directory: string): void {
  syncPath(directory);
  if (directory !== top && directory !== dirname(directory)) syncUpTo(top, dirname(directory));
}

function syncPath(path: string): void {
  const descriptor = fs.openSync(path, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
