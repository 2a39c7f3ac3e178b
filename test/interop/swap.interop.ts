import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess } from '../support/server-process.ts';
import { MANIFESTS } from './manifests.ts';
import { findPeer, run } from './peers.ts';
import { startReference } from './reference.ts';

const TOKEN = 'swap-admin';

const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

/** Either server reads what the other wrote into the same etcd, whatever either stores objects as. */
for (const [ours, theirs] of [
  [JSON_TYPE, JSON_TYPE],
  [PROTOBUF_TYPE, PROTOBUF_TYPE],
  [JSON_TYPE, PROTOBUF_TYPE],
] as const) {
  describe(`swap with the Go API server, storing ${ours} here and ${theirs} there`, function () {
    this.timeout(300_000);
    const kubectl = findPeer('kubectl');
    let etcd: TestEtcd;
    let directory: string;

    before(async () => {
      directory = mkdtempSync(join(tmpdir(), 'orch-swap-'));
      writeFileSync(join(directory, 'tokens.csv'), `${TOKEN},admin,admin-uid,"system:masters"\n`, {
        mode: 0o600,
      });
      etcd = await startEtcd();
    });
    after(async () => {
      await etcd.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    const call = (server: Server, args: string[], input?: string): string => {
      const { url, token } = server;
      const flags = [`--server=${url}`, `--token=${token}`, '--insecure-skip-tls-verify=true'];
      const outcome = run(kubectl, [...flags, ...args], input, { HOME: directory, KUBECONFIG: '/dev/null' });
      assert.equal(outcome.status, 0, `kubectl ${args.join(' ')}: ${outcome.stderr}`);
      return outcome.stdout;
    };
    const startOurs = async (): Promise<Server> => {
      const started = await startProcess({
        args: [
          '--naming=kubernetes',
          `--etcd-servers=${etcd.endpoint}`,
          `--storage-media-type=${ours}`,
          `--token-auth-file=${join(directory, 'tokens.csv')}`,
          '--service-account-issuer=https://kubernetes.default.svc',
          '--service-cluster-ip-range=10.0.0.0/24',
          // They would write statuses, and the Go API server has none of its own.
          '--controllers=-*',
          // They would add to pods, which have to be equal on both.
          '--disable-admission-plugins=ServiceAccount,DefaultTolerationSeconds',
        ],
      });
      return { url: started.url, token: TOKEN, stop: async () => assert.equal(await started.stop(), 0) };
    };
    const startTheirs = (): Promise<Server> =>
      startReference(etcd.endpoint, [
        `--storage-media-type=${theirs}`,
        // It would add to pods on updates, too.
        '--disable-admission-plugins=DefaultTolerationSeconds',
      ]);
    /** Runs with a server, which is stopped whatever happens. */
    const using = async (start: () => Promise<Server>, use: (server: Server) => void): Promise<void> => {
      const server = await start();
      try {
        use(server);
      } finally {
        await server.stop();
      }
    };

    const create = (server: Server, name: string): void => {
      for (const { yaml, namespaced } of MANIFESTS) {
        const where = namespaced ? ['-n', 'default'] : [];
        call(server, ['create', '-f', '-', ...where], yaml.replace('{name: it', `{name: ${name}`));
      }
    };
    /** Every object of a name, as text. */
    const read = (server: Server, name: string): Map<string, string> =>
      new Map(
        MANIFESTS.map(({ resource, namespaced }) => {
          const where = namespaced ? ['-n', 'default'] : [];
          return [resource, call(server, ['get', resource, name, '-o', 'json', ...where])];
        }),
      );
    const assertRead = (server: Server, name: string, wanted: Map<string, string>): void => {
      for (const [resource, text] of read(server, name)) {
        assert.deepEqual(JSON.parse(text), JSON.parse(wanted.get(resource) ?? ''), `${resource} ${name}`);
      }
    };

    it('reads and rewrites the objects of the other one', async () => {
      let oursRead = new Map<string, string>();
      let theirsRead = new Map<string, string>();
      await using(startOurs, (server) => {
        create(server, 'ours');
        oursRead = read(server, 'ours');
      });
      await using(startTheirs, (server) => {
        assertRead(server, 'ours', oursRead);
        if (ours === theirs) {
          // It writes nothing where its own encoding is, byte for byte, what is stored.
          for (const text of oursRead.values()) call(server, ['replace', '-f', '-'], text);
          assertRead(server, 'ours', oursRead);
        }
        create(server, 'theirs');
        theirsRead = read(server, 'theirs');
      });
      await using(startOurs, (server) => {
        assertRead(server, 'theirs', theirsRead);
        for (const { resource, namespaced } of MANIFESTS) {
          const where = namespaced ? ['-n', 'default'] : [];
          call(server, ['label', resource, 'theirs', 'swapped=yes', ...where]);
        }
      });
    });
  });
}

interface Server {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}
