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

  /** @throws Error that names the folder in which it can't be made. */
  static async make(): Promise<TemporaryFolder> {
    const parent = tmpdir();
    try {
      return new TemporaryFolder(await mkdtemp(join(parent, 'orch-testing-')));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(
        `the temporary folder ${parent} takes no data of control planes (TMPDIR names another): ${why}`,
        {
          cause,
        },
      );
    }
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
