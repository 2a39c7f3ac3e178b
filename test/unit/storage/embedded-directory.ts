import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStorage } from '../../../src/storage/embedded/index.ts';
import type { EmbeddedStorageOptions } from '../../../src/storage/embedded/index.ts';
import type { Storage } from '../../../src/storage/port.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A directory of a test's own, and the stores that it opened there: closed and removed when the test ends. */
export class EmbeddedDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'orch-embedded-'));
  readonly clock = new ManualClock(1_700_000_000_000);
  readonly #open = new Set<Storage>();

  async open(options: Partial<EmbeddedStorageOptions> = {}): Promise<Storage> {
    const storage = await openEmbeddedStorage({
      directory: this.path,
      history: 0,
      clock: this.clock,
      sync: 'none',
      ...options,
    });
    this.#open.add(storage);
    return storage;
  }

  /** Closes what is open and opens it again, as a restart does. */
  async reopen(options: Partial<EmbeddedStorageOptions> = {}): Promise<Storage> {
    await this.closeStores();
    return this.open(options);
  }

  async closeStores(): Promise<void> {
    for (const storage of this.#open) await storage.close();
    this.#open.clear();
  }

  async remove(): Promise<void> {
    await this.closeStores();
    rmSync(this.path, { recursive: true });
  }
}
