import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { checkStore } from './embedded-check.ts';
import type { Found, KillWrite, Running, Victim } from './kill-driver.ts';

export type Request =
  | { readonly id: number; readonly do: 'write'; readonly write: KillWrite }
  | { readonly id: number; readonly do: 'read' }
  | { readonly id: number; readonly do: 'history'; readonly from: number };

export type Answer =
  | { readonly id: number; readonly ok: true; readonly answer: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;

/** The embedded store in a child process, spoken to over the channel that Node opens between them. */
export function embeddedVictim(directory: string): Victim {
  let starts = 0;
  return {
    // Every other process cuts its history all the time, so that this is interrupted as well.
    start: () => EmbeddedProcess.start(directory, starts++ % 2 === 0 ? 0 : 30),
    inspect: () => checkStore(directory),
  };
}

class EmbeddedProcess implements Running {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #gone: Promise<unknown>;
  #lastId = 0;

  static async start(directory: string, history: number): Promise<Running> {
    const program = new URL('embedded-server.ts', import.meta.url);
    const child = fork(program, [directory, `${history}`], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [hello] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => assert.fail(`the store's process ended with ${String(code)}`)),
    ])) as [unknown];
    assert.equal(hello, 'ready');
    return new EmbeddedProcess(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#gone = once(child, 'close');
    child.on('message', (answer: Answer) => {
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if (answer.ok) pending?.resolve(answer.answer);
      else pending?.reject(new Error(answer.message));
    });
    child.on('close', () => {
      for (const pending of this.#pending.values()) pending.reject(new Error('the process is gone'));
    });
  }

  async write(write: KillWrite): Promise<number> {
    return (await this.#ask({ do: 'write', write })) as number;
  }

  async read() {
    const answer = (await this.#ask({ do: 'read' })) as { revision: number; objects: [string, Found][] };
    return { revision: answer.revision, objects: new Map(answer.objects) };
  }

  async history(from: number) {
    const events = (await this.#ask({ do: 'history', from })) as
      [number, { key: string; value?: string }][] | undefined;
    return events && new Map(events);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  #ask(request: Unnumbered<Request>): Promise<unknown> {
    const id = ++this.#lastId;
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    if (this.#child.connected) this.#child.send({ ...request, id }, () => undefined);
    else pending.reject(new Error('the process is gone'));
    return pending.promise;
  }
}
