import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A control plane's state at one moment, for {@link TestControlPlane.restore}. It is gone with its control plane. */
export class Snapshot {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Where the file system can, the copy shares its blocks with the snapshot. */
  async copyTo(directory: string): Promise<void> {
    const [files] = await Promise.all([
      readdir(this.#directory),
      mkdir(directory, { recursive: true, mode: 0o700 }),
    ]);
    await Promise.all(
      files.map((file) =>
        copyFile(join(this.#directory, file), join(directory, file), constants.COPYFILE_FICLONE),
      ),
    );
  }
}
