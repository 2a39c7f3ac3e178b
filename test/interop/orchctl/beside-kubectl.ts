import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../../support/etcd.ts';
import { startProcess, type ServerProcess } from '../../support/server-process.ts';
import { findPeer, run, type Outcome } from '../peers.ts';
import { startReference, type ReferenceServer } from '../reference.ts';
import { comparable } from './comparable.ts';
import type { Line } from './lines.ts';
import { kubeconfig, splitWords } from './programs.ts';

const ORCHCTL = join(import.meta.dirname, '../../../src/cli/orchctl.ts');

/** Each line in a namespace of each program's own, whose names are equally long. */
const NAMESPACES = { kubectl: 'one', orchctl: 'two' } as const;
type Program = keyof typeof NAMESPACES;

export interface BesideKubectl {
  readonly lines: readonly Line[];
  /** Files that the lines name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Manifests of what stands outside of namespaces, for both programs. */
  readonly cluster?: string;
  /** Manifests of what each program has in the namespace of its own. */
  readonly objects?: (namespace: string) => string;
}

/** The same command lines with kubectl 1.32 and with orchctl, against a Go API server and against ours. */
export function besideKubectl(title: string, { lines, files = {}, cluster, objects }: BesideKubectl): void {
  describe(title, function () {
    this.timeout(120_000);
    let directory: string;
    let etcd: TestEtcd | undefined;
    let reference: ReferenceServer | undefined;
    let ours: ServerProcess | undefined;

    before(async function () {
      this.timeout(OBTAIN_TIMEOUT_MS);
      directory = mkdtempSync(join(tmpdir(), 'orch-interop-'));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
      writeFileSync(join(directory, 'tokens.csv'), 'token,admin,admin-uid,"system:masters"\n');
      etcd = await startEtcd();
      const args = [
        '--naming=kubernetes',
        `--token-auth-file=${join(directory, 'tokens.csv')}`,
        // As the reference: volumes with tokens have names by chance.
        '--disable-admission-plugins=ServiceAccount',
      ];
      reference = await startReference(etcd.endpoint);
      ours = await startProcess({ args });
    });
    after(async () => {
      // One that didn't start must not keep the others.
      await Promise.all([reference?.stop(), ours?.stop()]);
      await etcd?.kill();
      rmSync(directory, { recursive: true, force: true });
    });

    const servers: readonly [string, () => { url: string; token: string }][] = [
      ['the Go API server', () => ({ url: reference?.url ?? '', token: reference?.token ?? '' })],
      ['orch', () => ({ url: ours?.url ?? '', token: 'token' })],
    ];

    for (const [name, server] of servers) {
      describe(`against ${name}`, () => {
        let configs: Record<Program, string>;

        const call = (program: Program, line: string, input = ''): Outcome => {
          const named = line.replaceAll('NAMESPACE', NAMESPACES[program]);
          const args = splitWords(named).map((word) => (word in files ? join(directory, word) : word));
          const [file, first] =
            program === 'kubectl' ? [findPeer('kubectl'), []] : [process.execPath, [ORCHCTL]];
          return run(file, [...first, ...args], input.replaceAll('NAMESPACE', NAMESPACES[program]), {
            KUBECONFIG: configs[program],
            HOME: directory,
          });
        };

        const make = (line: string, input?: string): void => {
          const made = call('kubectl', line, input);
          assert.equal(made.status, 0, made.stderr);
        };

        before(() => {
          configs = { kubectl: '', orchctl: '' };
          for (const program of Object.keys(NAMESPACES) as Program[]) {
            configs[program] = join(directory, `${program}.kubeconfig`);
            writeFileSync(configs[program], kubeconfig({ ...server(), namespace: NAMESPACES[program] }));
            make(`create namespace ${NAMESPACES[program]}`);
          }
          if (cluster !== undefined) make('create -f -', cluster);
          for (const namespace of objects === undefined ? [] : Object.values(NAMESPACES)) {
            make(`create -n ${namespace} -f -`, objects?.(namespace));
          }
        });

        for (const { line, like, input, onReferenceOnly = false } of lines) {
          if (onReferenceOnly && name === 'orch') continue;
          it(line, () => {
            const [theirs, own] = [call('kubectl', line, input), call('orchctl', line, input)];
            const said = `kubectl said ${JSON.stringify(theirs.stderr)}, orchctl ${JSON.stringify(own.stderr)}`;
            assert.equal(own.status, theirs.status, `exit code; ${said}`);
            if (like === 'code') return;
            const [expected, actual] = [theirs, own].map(({ stdout }) => comparable(stdout, like));
            assert.equal(actual, expected, said);
          });
        }
      });
    }
  });
}
