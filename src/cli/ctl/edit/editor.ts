import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CtlError } from '../errors.ts';

const DEFAULT_EDITOR = 'vi';

/** A text in a file of its own, and the program that the user changes it with. */
export class Editor {
  readonly file: string;
  readonly #folder: string;
  readonly #command: readonly string[];

  private constructor(folder: string, file: string, command: readonly string[]) {
    this.#folder = folder;
    this.file = file;
    this.#command = command;
  }

  /** @param extension `.yaml`, so that the editor knows what it is. */
  static async open(env: Readonly<Record<string, string | undefined>>, extension: string): Promise<Editor> {
    const folder = await mkdtemp(join(tmpdir(), 'orchctl-edit-'));
    return new Editor(folder, join(folder, `edit${extension}`), editorCommand(env));
  }

  /** Lets the user change a text, in the terminal that is the program's own. @throws CtlError when the editor fails. */
  async edit(text: string): Promise<string> {
    await writeFile(this.file, text, { mode: 0o600 });
    const [program = DEFAULT_EDITOR, ...args] = this.#command;
    // What the terminal sends to all, such as Ctrl-C, is for the editor.
    const ignore = (): void => {};
    process.on('SIGINT', ignore);
    try {
      const child = spawn(program, [...args, this.file], { stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0)
        throw new CtlError(
          `there was a problem with the editor ${JSON.stringify(this.#command.join(' '))}: it ended with ${code ?? 'a signal'}`,
        );
    } catch (error) {
      if (error instanceof CtlError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new CtlError(`unable to launch the editor ${JSON.stringify(this.#command.join(' '))}: ${why}`, {
        hint: 'KUBE_EDITOR or EDITOR names another one.',
        cause: error,
      });
    } finally {
      process.off('SIGINT', ignore);
    }
    return readFile(this.file, 'utf8');
  }

  /** Removes the file. */
  async discard(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** What stands in quotes is for the shell to understand. */
function editorCommand(env: Readonly<Record<string, string | undefined>>): string[] {
  const editor = env['KUBE_EDITOR'] || env['EDITOR'] || DEFAULT_EDITOR;
  if (!/["'\\]/.test(editor)) return editor.split(' ').filter((part) => part !== '');
  return [env['SHELL'] || '/bin/sh', '-c', `${editor} "$@"`, editor];
}
