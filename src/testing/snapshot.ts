import { constants, mkdirSync, readdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A control plane's state at one moment, for {@link TestControlPlane.restore}. It is gone with its control plane. */
export class Snapshot {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Where the file system can, the copy shares its blocks with the snapshot. */
  async copyTo(directory: string): Promise<void> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const file of readdirSync(this.#directory)) {
      await copyFile(join(this.#directory, file), join(directory, file), constants.COPYFILE_FICLONE);
    }
  }
}
