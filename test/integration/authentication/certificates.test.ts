import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/lib/clock.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { startControlPlane, type TestControlPlane } from '../../../src/testing/index.ts';
import { startProcess } from '../../support/server-process.ts';
import { whoAmI, type KnownUser } from '../../support/who-am-i.ts';

interface Pair {
  readonly cert: string;
  readonly key: string;
}

const CLIENT = 'extendedKeyUsage=clientAuth';
const AUTHORITY = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign';

/** Certificates by openssl, as people make them. */
describe('certificates of clients', function () {
  this.timeout(120_000);
  let folder: string;
  let plane: TestControlPlane;
  let ahead = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + ahead };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orch-certificates-'));
    for (const name of ['clients', 'others', 'proxies', 'later']) authority(name);
    concat('ca.crt', ['clients', 'others']);
    plane = await startControlPlane({
      clock,
      flags: [
        `--client-ca-file=${folder}/ca.crt`,
        `--requestheader-client-ca-file=${folder}/proxies.crt`,
        '--requestheader-allowed-names=front,side',
        '--requestheader-username-headers=X-Remote-User,X-Other-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-uid-headers=X-Remote-Uid',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        '--feature-gates=RemoteRequestHeaderUID=true',
      ],
    });
  });
  afterEach(() => (ahead = 0));
  after(async () => {
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  }

  function request(name: string, subject: string): void {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
    openssl('req', '-new', ...key, '-out', `${name}.csr`, '-utf8', '-multivalue-rdn', '-subj', subject);
  }

  function authority(name: string): void {
    request(name, `/CN=${name}`);
    writeFileSync(join(folder, `${name}.ext`), AUTHORITY);
    const own = ['-signkey', `${name}.key`, '-extfile', `${name}.ext`, '-days', '30'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...own, '-out', `${name}.crt`);
  }

  function issue(by: string, subject: string, usage = CLIENT, name = 'leaf'): Pair {
    request(name, subject);
    writeFileSync(join(folder, `${name}.ext`), usage);
    const signer = ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial', '-days', '10'];
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...signer,
      '-extfile',
      `${name}.ext`,
      '-out',
      `${name}.crt`,
    );
    const read = (ending: string): string => readFileSync(join(folder, `${name}.${ending}`), 'utf8');
    return { cert: read('crt'), key: read('key') };
  }

  function concat(target: string, names: readonly string[]): void {
    const texts = names.map((name) => readFileSync(join(folder, `${name}.crt`), 'utf8'));
    writeFileSync(join(folder, target), texts.join(''));
  }

  const known = async (certificate: Pair, headers = {}): Promise<KnownUser | number> =>
    whoAmI(plane.url, { certificate, headers });

  it('name their user and every organization', async () => {
    const subject = '/O=dev/O=a, b \\+ c/O=Zoë \\= \\"x\\"/OU=none/CN=jane \\/ doe';
    const user = (await known(issue('clients', subject))) as KnownUser;
    assert.equal(user.username, 'jane / doe');
    assert.deepEqual(user.groups, ['dev', 'a, b + c', 'Zoë = "x"', 'system:authenticated']);
    const credential = user.extra?.['authentication.orch.io/credential-id']?.[0] ?? '';
    assert.match(credential, /^X509SHA256=[0-9a-f]{64}$/);
  });

  it('are of any of several authorities', async () => {
    assert.equal(((await known(issue('others', '/CN=joe'))) as KnownUser).username, 'joe');
  });

  const refused: readonly (readonly [string, () => Pair])[] = [
    ['of an unknown authority', () => issue('later', '/CN=jane')],
    ['of no authority', () => issue('clients', '/CN=jane', 'extendedKeyUsage=serverAuth')],
    ['without a common name', () => issue('clients', '/O=dev')],
    ['of proxies', () => issue('proxies', '/CN=jane')],
    ['signed by a client', () => (issue('clients', '/CN=joe', CLIENT, 'joe'), issue('joe', '/CN=jane'))],
  ];
  for (const [name, make] of refused) {
    it(`${name} are refused`, async () => {
      assert.equal(await known(make()), 401);
    });
  }

  it('are refused when they have expired, and before they are valid', async () => {
    const jane = issue('clients', '/CN=jane');
    ahead = 9 * 86_400_000;
    assert.notEqual(await known(jane), 401);
    ahead = 11 * 86_400_000;
    assert.equal(await known(jane), 401);
    ahead = -86_400_000;
    assert.equal(await known(jane), 401);
  });

  it('of proxies let them name users', async () => {
    const front = issue('proxies', '/CN=front');
    const headers = {
      'x-remote-user': 'jane',
      'x-remote-uid': '7',
      'x-remote-group': ['dev', 'a,b', ''],
      'x-remote-extra-acme.io%2fteam': ['blue', 'red'],
      'x-remote-extra-50%': 'odd',
    };
    assert.deepEqual(await known(front, headers), {
      username: 'jane',
      uid: '7',
      groups: ['dev', 'a,b', 'system:authenticated'],
      extra: { 'acme.io/team': ['blue', 'red'], '50%': ['odd'] },
    });
    assert.equal(((await known(front, { 'x-other-user': 'joe' })) as KnownUser).username, 'joe');
    assert.equal(await known(front), 401, 'a proxy is nobody by itself');
    assert.equal(await known(front, { 'x-remote-group': 'system:masters' }), 401);
  });

  it('of nobody else do', async () => {
    const headers = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' };
    assert.equal(await known(issue('proxies', '/CN=back'), headers), 401, 'not an allowed name');
    const jane = (await known(issue('clients', '/CN=front'), headers)) as KnownUser;
    assert.deepEqual([jane.username, jane.groups], ['front', ['system:authenticated']]);
    assert.equal(await whoAmI(plane.url, { headers }), 403, 'anonymous');
  });

  it('are judged by new authorities when their file changes', async () => {
    const jane = issue('clients', '/CN=jane');
    const jill = issue('later', '/CN=jill');
    issue('clients', '/CN=between', AUTHORITY, 'between');
    const leaf = issue('between', '/CN=jim');
    const jim = { ...leaf, cert: leaf.cert + readFileSync(join(folder, 'between.crt'), 'utf8') };
    const server = await startProcess({ args: [`--client-ca-file=${folder}/ca.crt`] });
    const status = async (certificate: Pair): Promise<string | number> => {
      const user = await whoAmI(server.url, { certificate });
      return typeof user === 'number' ? user : user.username;
    };
    try {
      assert.deepEqual(await Promise.all([status(jane), status(jim), status(jill)]), ['jane', 'jim', 401]);
      writeFileSync(join(folder, 'ca.crt'), '-----BEGIN CERT');
      concat('next.crt', ['later', 'others']);
      assert.equal(await status(jane), 'jane', 'half of a file changes nothing');
      renameSync(join(folder, 'next.crt'), join(folder, 'ca.crt'));
      while ((await status(jill)) !== 'jill') await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(await Promise.all([status(jane), status(jim)]), [401, 401]);
    } finally {
      await server.stop();
    }
  });

  it('are known to the servers that extend this one, by new authorities too', async () => {
    concat('told.crt', ['clients']);
    const server = await startControlPlane({
      flags: [`--client-ca-file=${folder}/told.crt`],
      controllers: [],
    });
    const told = async (name: string): Promise<boolean> => {
      const path = '/api/v1/namespaces/orch-system/configmaps/extension-apiserver-authentication';
      const { data } = await server.client.json<{ data: { 'client-ca-file': string } }>({ path });
      return data['client-ca-file'].includes(readFileSync(join(folder, `${name}.crt`), 'utf8'));
    };
    try {
      assert.deepEqual(await Promise.all([told('clients'), told('later')]), [true, false]);
      concat('told.crt', ['clients', 'later']);
      while (!(await told('later'))) await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await server.stop();
    }
  });
});
