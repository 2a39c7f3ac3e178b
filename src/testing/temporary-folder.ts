import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that lives as long as a control plane. */
export class TemporaryFolder {
  readonly path: string;
  #children = 0;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<TemporaryFolder> {
    return new TemporaryFolder(await mkdtemp(join(tmpdir(), 'orch-testing-')));
  }

  /** The administrator's kubeconfig. */
  get kubeconfig(): string {
    return join(this.path, 'kubeconfig');
  }

  /** A path in it that nobody has had before. */
  next(name: string): string {
    return join(this.path, `${name}-${this.#children++}`);
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}
