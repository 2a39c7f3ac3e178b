import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { buildGoClients } from './go-clients.ts';
import { findPeer, run, type Outcome } from './peers.ts';

/** What clients of release 1.32 have to show, and where they get it from. */
describe('credentials of clients', function () {
  this.timeout(120_000);
  let folder: string;
  let server: ServerProcess;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orch-credentials-'));
    server = await startProcess({ args: ['--naming=kubernetes'] });
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const pki = (name: string): string => join(server.directory, 'pki', name);
  const kubectl = (args: readonly string[]): Outcome => run(findPeer('kubectl'), args, '', { HOME: folder });
  const admin = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = kubectl(['--kubeconfig', server.kubeconfig, ...args]);
    assert.equal(status, 0, stderr);
    return stdout;
  };

  describe('in a pod, with client-go', () => {
    let program: string;
    let pod: Pod | undefined;
    before(function () {
      this.timeout(600_000);
      const built = buildGoClients();
      if (built === undefined || !canMount()) this.skip();
      else program = built;
    });
    afterEach(() => pod?.stop());

    /** A token of `default/default` that is good as long as there is a Secret. */
    function bound(secret: string): string {
      admin('create', 'secret', 'generic', secret);
      return admin(
        'create',
        'token',
        'default',
        '--bound-object-kind=Secret',
        `--bound-object-name=${secret}`,
      );
    }

    it('the files of the account let it in, and are read again when the token is renewed', async () => {
      write(
        'ca.crt',
        admin('get', 'configmap', 'kube-root-ca.crt', '-o', String.raw`jsonpath={.data.ca\.crt}`),
      );
      write('namespace', 'default');
      write('token', bound('first'));
      pod = new Pod(program, folder, server.url);
      assert.equal(await pod.whoAmI(), ME);
      const began = performance.now();
      write('token', bound('second'));
      admin('delete', 'secret', 'first');
      assert.equal(await pod.whoAmI(), 'Unauthorized');
      // client-go believes what it has read for 50 s, whatever it is answered.
      let name = '';
      for (; name !== ME && performance.now() - began < 90_000; name = await pod.whoAmI())
        await setTimeout(500);
      assert.equal(name, ME);
    });
  });

  describe('with kubectl', () => {
    const whoAmI = (args: readonly string[]): Outcome =>
      kubectl([...args, 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}']);
    const connection = (): readonly string[] => [
      '--server',
      server.url,
      '--certificate-authority',
      pki('ca.crt'),
    ];
    const token = (): string => admin('create', 'token', 'default').trim();

    /** A kubeconfig whose user is what a program prints. */
    function byProgram(credential: object): readonly string[] {
      const status = JSON.stringify({ apiVersion: EXEC, kind: 'ExecCredential', status: credential });
      write('credential.json', status);
      const exec = {
        apiVersion: EXEC,
        command: '/bin/cat',
        args: [join(folder, 'credential.json')],
        interactiveMode: 'Never',
      };
      const config = {
        ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
        clusters: [{ name: 'c', cluster: { server: server.url, 'certificate-authority': pki('ca.crt') } }],
        users: [{ name: 'c', user: { exec } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
      };
      write('exec.kubeconfig', JSON.stringify(config));
      return ['--kubeconfig', join(folder, 'exec.kubeconfig')];
    }

    it('a token lets its user in', () => {
      const { stdout } = whoAmI([...connection(), '--token', token()]);
      assert.equal(stdout, ME);
    });

    it('a token that a program prints lets its user in', () => {
      const { stdout } = whoAmI(byProgram({ token: token(), expirationTimestamp: '2100-01-01T00:00:00Z' }));
      assert.equal(stdout, ME);
    });

    it('a certificate that a program prints lets its user in', () => {
      const { stdout } = whoAmI(
        byProgram({
          clientCertificateData: readFileSync(pki('admin.crt'), 'utf8'),
          clientKeyData: readFileSync(pki('admin.key'), 'utf8'),
        }),
      );
      assert.equal(stdout, admin('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'));
    });

    it('a bad token that a program prints is refused, and nobody learns more', () => {
      const { status, stderr } = whoAmI(byProgram({ token: `${token()}x` }));
      assert.equal(status, 1);
      assert.match(stderr, /^error: You must be logged in to the server/m);
    });
  });
});

/** Whose tokens these are. */
const ME = 'system:serviceaccount:default:default';

const EXEC = 'client.authentication.k8s.io/v1';

/** Where client-go looks for the files of an account, which no flag changes. */
const ACCOUNT_FILES = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Runs a program that sees a folder as the files of its account: in a mount namespace, so that the machine has none. */
const IN_POD = [
  ...['unshare', '--mount', '--map-root-user', 'sh', '-c'],
  `mount -t tmpfs none "$(readlink -f /var/run)" && mkdir -p ${ACCOUNT_FILES} &&
   mount --bind "$0" ${ACCOUNT_FILES} && exec "$@"`,
] as const;

/** Whether there can be mount namespaces; says so where not. */
function canMount(): boolean {
  const [command, ...args] = IN_POD;
  const can = spawnSync(command, [...args, tmpdir(), 'true']).status === 0;
  if (!can)
    console.log('    skipped: no mount namespaces here, which take unshare and user namespaces, or root');
  return can;
}

/** client-go in what it takes for a pod. */
class Pod {
  readonly #process: ChildProcess;
  readonly #lines: Interface;

  constructor(program: string, files: string, url: string) {
    const { hostname, port } = new URL(url);
    const [command, ...args] = IN_POD;
    this.#process = spawn(command, [...args, files, program, 'in-cluster'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
    });
    if (this.#process.stdout === null) throw new Error('it has no output');
    this.#lines = createInterface(this.#process.stdout);
  }

  /** The user, or what the client says that is wrong. */
  async whoAmI(): Promise<string> {
    this.#process.stdin?.write('\n');
    const [line] = (await once(this.#lines, 'line')) as [string];
    return line;
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.stdin?.end();
    await exited;
  }
}
