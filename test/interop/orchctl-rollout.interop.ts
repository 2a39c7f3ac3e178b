import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';
import { freePort } from '../support/free-ports.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { comparable } from './orchctl/comparable.ts';
import { kubeconfig, splitWords } from './orchctl/programs.ts';
import { workloads } from './orchctl/workloads.ts';
import { findPeer, run, type Outcome } from './peers.ts';
import { startReference, type ReferenceServer } from './reference.ts';

const ORCHCTL = join(import.meta.dirname, '../../src/cli/orchctl.ts');
const NAMESPACES = { kubectl: 'one', orchctl: 'two' } as const;
type Program = keyof typeof NAMESPACES;

const NAMES = ['deployment/web', 'daemonset/agent', 'statefulset/db'];

/** In an order in which each finds what those before it made; `NAME` stands for each of the workloads. */
const LINES: readonly string[] = [
  'rollout status NAME --timeout=30s',
  'rollout history NAME',
  'rollout history NAME --revision=9',
  'rollout history NAME --revision=1',
  'rollout undo NAME --dry-run=client',
  'rollout history NAME --revision=1 -o jsonpath={.spec.template.spec.containers[0].image}',
  'rollout undo NAME --to-revision=9',
  'rollout undo NAME --to-revision=2',
  'rollout undo NAME --dry-run=server',
  'rollout undo NAME',
  'rollout status NAME --timeout=30s',
  'rollout history NAME',
  'get NAME -o jsonpath={.spec.template.spec.containers[0].image}',
  'rollout restart NAME',
  'rollout status NAME --timeout=30s',
  'scale NAME --replicas=1',
  'rollout status NAME --timeout=1s',
];

/** Rollouts of the Go controller manager, with kubectl 1.32 and with orchctl. */
describe('orchctl rollout beside kubectl 1.32', function () {
  this.timeout(120_000);
  let directory: string;
  let etcd: TestEtcd;
  let reference: ReferenceServer;
  let ours: ServerProcess;

  before(async function () {
    this.timeout(OBTAIN_TIMEOUT_MS);
    directory = mkdtempSync(join(tmpdir(), 'orch-interop-'));
    writeFileSync(join(directory, 'tokens.csv'), 'token,admin,admin-uid,"system:masters"\n');
    etcd = await startEtcd();
    [reference, ours] = await Promise.all([
      startReference(etcd.endpoint),
      startProcess({
        args: ['--naming=kubernetes', `--token-auth-file=${join(directory, 'tokens.csv')}`],
      }),
    ]);
  });
  after(async () => {
    await Promise.all([reference.stop(), ours.stop()]);
    await etcd.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  const servers: readonly [string, () => { url: string; token: string }][] = [
    ['the Go API server', () => reference],
    ['orch', () => ({ url: ours.url, token: 'token' })],
  ];

  for (const [name, server] of servers) {
    describe(`against ${name}`, () => {
      const configs: Record<Program, string> = { kubectl: '', orchctl: '' };
      let controllers: ChildProcess;

      const call = (program: Program, line: string, input = ''): Outcome => {
        const [file, first] =
          program === 'kubectl' ? [findPeer('kubectl'), []] : [process.execPath, [ORCHCTL]];
        const env = { KUBECONFIG: configs[program], HOME: directory };
        return run(file, [...first, ...splitWords(line)], input, env);
      };
      const made = (line: string, input = ''): void => {
        for (const program of Object.keys(NAMESPACES) as Program[]) {
          const { status, stderr } = call('kubectl', `${line} -n ${NAMESPACES[program]}`, input);
          assert.equal(status, 0, stderr);
        }
      };

      before(async () => {
        for (const [program, namespace] of Object.entries(NAMESPACES) as [Program, string][]) {
          configs[program] = join(directory, `${program}.kubeconfig`);
          writeFileSync(configs[program], kubeconfig({ ...server(), namespace }));
          assert.equal(call('kubectl', `create namespace ${namespace}`).status, 0);
        }
        controllers = await startControllers(configs.kubectl, directory);
        for (const image of ['nginx:1', 'nginx:2']) {
          made('apply --server-side -f -', workloads(image));
          made(`rollout status ${NAMES.join(' ')} --timeout=60s`);
        }
      });
      after(async () => {
        const exited = once(controllers, 'exit');
        controllers.kill('SIGTERM');
        await exited;
      });

      for (const workload of NAMES) {
        for (const line of LINES.map((text) => text.replace('NAME', workload))) {
          // A daemon set has no number of replicas.
          if (line.startsWith('scale daemonset')) continue;
          it(line, () => {
            const [theirs, own] = [call('kubectl', line), call('orchctl', line)];
            const said = `kubectl said ${JSON.stringify(theirs.stderr)}, orchctl ${JSON.stringify(own.stderr)}`;
            assert.equal(own.status, theirs.status, `exit code; ${said}`);
            const [expected, actual] = [theirs, own].map(({ stdout }) => comparable(stdout, 'exact'));
            assert.equal(actual, expected, said);
            // What to do next follows in orchctl.
            const [firstLine = ''] = own.stderr.split('\n');
            assert.equal(firstLine, theirs.stderr.split('\n')[0]);
          });
        }
      }
    });
  }
});

/** Starts the Go controller manager; it goes on its own way. */
async function startControllers(config: string, directory: string): Promise<ChildProcess> {
  return spawn(
    findPeer('kube-controller-manager'),
    [
      `--kubeconfig=${config}`,
      `--authentication-kubeconfig=${config}`,
      `--authorization-kubeconfig=${config}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${await freePort()}`,
      `--cert-dir=${directory}`,
      '--leader-elect=false',
      '--controllers=deployment-controller,replicaset-controller,daemonset-controller,statefulset-controller',
      '--kube-api-qps=200',
      '--kube-api-burst=400',
    ],
    { stdio: 'ignore' },
  );
}
