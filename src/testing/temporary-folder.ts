import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that lives as long as a control plane. */
export class TemporaryFolder {
  readonly path: string;
  #children = 0;
  #discarding: Promise<void> = Promise.resolve();

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<TemporaryFolder> {
    return new TemporaryFolder(await mkdtemp(join(tmpdir(), 'orch-testing-')));
  }

  /** Writes a file that only its owner may read. @returns its path. */
  write(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** A path in it that nobody has had before. */
  next(name: string): string {
    return join(this.path, `${name}-${this.#children++}`);
  }

  /** Removes a part of it, without keeping anybody waiting. What can't be removed is left for {@link remove}. */
  discard(path: string): void {
    const removed = this.#discarding.then(() => removeAll(path));
    this.#discarding = removed.catch(() => undefined);
  }

  async remove(): Promise<void> {
    await this.#discarding;
    await removeAll(this.path);
  }
}

function removeAll(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}
