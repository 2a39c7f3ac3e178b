import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { KubeConfig } from '@kubernetes/client-node';
import { declareInformer, FOLLOWED, type Follower } from '../support/informer-scenario.ts';
import { buildGoClients } from './go-clients.ts';

/** Informers of client-go, which begin with a list, or with a watch that streams one, and speak Protobuf. */
for (const [title, environment] of [
  ['lists', {}],
  ['streamed lists', { KUBE_FEATURE_WatchListClient: 'true' }],
] as const) {
  for (const store of ['embedded', 'etcd'] as const) {
    describe(`an informer of client-go that begins with ${title}, on the ${store} store`, function () {
      this.timeout(120_000);
      let program: string;
      before(function () {
        this.timeout(600_000);
        const built = buildGoClients();
        if (built === undefined) this.skip();
        else program = built;
      });
      declareInformer(store, (config) => Promise.resolve(new GoFollower(program, config, environment)));
    });
  }
}

class GoFollower implements Follower {
  readonly events: string[] = [];
  lists = 0;
  readonly #state = new Map<string, string>();
  readonly #directory = mkdtempSync(join(tmpdir(), 'orch-informer-'));
  readonly #process: ChildProcess;
  #wake: () => void = () => undefined;

  constructor(program: string, config: KubeConfig, environment: NodeJS.ProcessEnv) {
    const kubeconfig = join(this.#directory, 'kubeconfig');
    writeFileSync(kubeconfig, config.exportConfig(), { mode: 0o600 });
    const { namespace, labelSelector } = FOLLOWED;
    this.#process = spawn(program, [kubeconfig, 'follow', namespace, labelSelector], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    if (this.#process.stdout !== null) {
      createInterface(this.#process.stdout).on('line', (line) => this.#take(line));
    }
  }

  get state(): Record<string, string> {
    return Object.fromEntries([...this.#state].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.stdin?.end();
    await exited;
    rmSync(this.#directory, { recursive: true });
  }

  #take(line: string): void {
    const [, verb, name = '', value = ''] = /^(add|update|delete) ([^=]*)=(.*)$/.exec(line) ?? [];
    if (verb === undefined) this.lists++;
    else {
      this.events.push(line);
      if (verb === 'delete') this.#state.delete(name);
      else this.#state.set(name, value);
    }
    this.#wake();
  }
}
