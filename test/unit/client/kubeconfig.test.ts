import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../src/client/config-error.ts';
import type { CredentialSource } from '../../../src/client/https/credentials.ts';
import { connectKubeconfig } from '../../../src/client/kubeconfig/connect.ts';
import { execCredentials } from '../../../src/client/kubeconfig/exec-credentials.ts';
import { impersonationHeaders } from '../../../src/client/kubeconfig/impersonation.ts';
import { loadKubeconfig } from '../../../src/client/kubeconfig/load.ts';
import { selectContext, type ConfigOverrides } from '../../../src/client/kubeconfig/select.ts';
import { userCredentials } from '../../../src/client/kubeconfig/user-credentials.ts';
import { selfSigned } from '../../support/certificates.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let folder: string;
/** Of the machine's time when its tests begin: certificates are made for that. */
let clock: ManualClock;
const startClock = (): void => void (clock = new ManualClock(Date.now()));

describe('kubeconfig files', () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orch-kubeconfig-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function write(name: string, content: unknown): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  function config(user: object, cluster: object = {}): object {
    return {
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'work' } }],
      clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1', ...cluster } }],
      users: [{ name: 'u', user }],
    };
  }

  describe('loadKubeconfig', () => {
    it('merges the files of a list: the first counts, missing ones are passed over, paths are seen from their file', async () => {
      const first = await write(
        'first.yaml',
        'users:\n- name: u\n  user: {client-key: keys/a, token: 12}\ncontexts:\n',
      );
      const second = await write('second.yaml', {
        'current-context': 'x',
        users: [
          { name: 'u', user: { token: 'other' } },
          { name: 'v', user: {} },
        ],
      });
      const env = { KUBECONFIG: `${join(folder, 'none')}:${first}:${second}:${second}` };
      const { currentContext, users, files } = await loadKubeconfig({ env });
      assert.equal(currentContext, 'x');
      assert.deepEqual([...users.keys()].sort(), ['u', 'v']);
      assert.deepEqual(users.get('u'), { 'client-key': join(folder, 'keys/a'), token: '12' });
      assert.deepEqual(files, [first, second]);
    });

    it('is empty where there is none', async () => {
      assert.deepEqual((await loadKubeconfig({ env: { HOME: folder } })).files, []);
      assert.deepEqual((await loadKubeconfig({ env: {} })).files, []);
    });

    it('tells which file is damaged, and where', async () => {
      const cases: [string, unknown, RegExp][] = [
        ['half', 'users:\n- name: u\n  user: {token: "x', /half": .*line 3/],
        ['text', 'just words', /holds no configuration/],
        ['pod', { kind: 'Pod' }, /holds a Pod, not a Config/],
        ['list', { clusters: {} }, /clusters is not a list/],
        ['unnamed', { users: [{ user: {} }] }, /users\[0\] has no name/],
        ['type', config({ token: ['a'] }), /users\[0\]\.user\.token is not a string/],
      ];
      for (const [name, content, message] of cases) {
        const path = await write(name, content);
        await assert.rejects(
          loadKubeconfig({ path }),
          (error) => error instanceof ConfigError && message.test(error.message),
          name,
        );
      }
      await assert.rejects(loadKubeconfig({ path: join(folder, 'none') }), /there is no config file/);
    });
  });

  describe('selectContext', () => {
    const select = async (content: object, overrides?: ConfigOverrides) =>
      selectContext(await loadKubeconfig({ path: await write('select', content) }), overrides);

    it('finds what the context names', async () => {
      const { server, namespace, user } = await select(config({ token: 't' }));
      assert.deepEqual([server, namespace, user], ['https://127.0.0.1:1', 'work', { token: 't' }]);
    });

    it('lets flags count, which push out what they replace', async () => {
      const user = { tokenFile: '/t', exec: { command: 'x' }, 'client-certificate-data': 'YQ==' };
      const cluster = { 'certificate-authority-data': 'YQ==' };
      const selection = await select(config(user, cluster), {
        token: 'mine',
        server: 'https://elsewhere',
        insecureSkipTlsVerify: true,
        clientCertificate: '/c',
        as: 'jane',
      });
      assert.deepEqual(selection.cluster, { server: 'https://elsewhere', 'insecure-skip-tls-verify': true });
      assert.deepEqual(selection.user, { 'client-certificate': '/c', token: 'mine', as: 'jane' });
    });

    it('needs no configuration where the flags say it all', async () => {
      const { server, user } = await select({}, { server: 'https://a', token: 't' });
      assert.deepEqual([server, user], ['https://a', { token: 't' }]);
    });

    it('tells what is missing, and what there is', async () => {
      const whole = config({});
      const cases: [object, ConfigOverrides, RegExp, RegExp][] = [
        [whole, { context: 'y' }, /context "y" does not exist/, /The contexts are: x\./],
        [whole, { cluster: 'y' }, /cluster "y" of context "x" does not exist/, /The clusters are: c\./],
        [whole, { user: 'y' }, /user "y" of context "x" does not exist/, /The users are: u\./],
        [{ ...whole, 'current-context': 'y' }, {}, /current context "y" does not exist/, /use-context/],
        [{ ...whole, 'current-context': '' }, {}, /no context is chosen/, /The contexts are: x/],
        [config({}, { server: '' }), {}, /cluster "c" has no server/, /^$/],
      ];
      for (const [content, overrides, message, hint] of cases) {
        await assert.rejects(
          select(content, overrides),
          (error) =>
            error instanceof ConfigError && message.test(error.message) && hint.test(error.hint ?? ''),
          String(message),
        );
      }
    });
  });

  async function credentialsOf(user: object): Promise<CredentialSource> {
    const selection = selectContext(await loadKubeconfig({ path: await write('user', config(user)) }));
    const { exec } = selection.user;
    return exec === undefined
      ? userCredentials(selection, clock)
      : execCredentials({ selection, exec, clock, env: process.env });
  }

  describe('userCredentials', () => {
    before(startClock);

    it('makes headers of tokens, names and passwords', async () => {
      const cases: [object, string | undefined][] = [
        [{ token: 'abc' }, 'Bearer abc'],
        [{ username: 'a', password: 'b' }, `Basic ${base64('a:b')}`],
        [{}, undefined],
      ];
      for (const [user, expected] of cases) {
        assert.equal((await (await credentialsOf(user)).get()).authorization, expected);
      }
    });

    it("reads a token's file again after a minute, or when it was refused", async () => {
      const tokenFile = await write('token', 'one\n');
      const source = await credentialsOf({ tokenFile, token: 'ignored' });
      await write('token', 'two\n');
      assert.equal((await source.get()).authorization, 'Bearer one');
      clock.advance(60_000);
      assert.equal((await source.get()).authorization, 'Bearer two');
      await write('token', 'three');
      source.refused({});
      assert.equal((await source.get()).authorization, 'Bearer three');
    });

    it('takes certificates inline and from files', async () => {
      const { cert, key } = await selfSigned();
      const got = await (
        await credentialsOf({
          'client-certificate-data': base64(cert),
          'client-key': await write('key', key),
        })
      ).get();
      assert.deepEqual(got.certificate, { cert, key });
    });

    it('refuses what is missing in part, damaged, expired or odd', async () => {
      const [one, other] = [await selfSigned(), await selfSigned()];
      const certificate = (cert: string, key: string): object => ({
        'client-certificate-data': base64(cert),
        'client-key-data': base64(key),
      });
      const cases: [object, RegExp][] = [
        [{ 'client-key-data': base64(one.key) }, /has a client key, but no client certificate/],
        [{ 'client-certificate-data': base64(one.cert) }, /a client certificate, but no client key/],
        [
          { ...certificate(one.cert, one.key), 'client-key-data': base64(one.key).slice(0, 21) },
          /not base64: it looks half/,
        ],
        [certificate(one.cert.slice(0, 100), one.key), /not a PEM certificate/],
        [certificate(one.cert, one.key.slice(0, 60)), /not a PEM key/],
        [certificate(one.cert, other.key), /do not belong together/],
        [{ 'client-certificate': '/none', 'client-key': '/none' }, /unable to read the client certificate/],
        [{ tokenFile: '/none' }, /unable to read the token file/],
        [{ token: 'x', username: 'y' }, /only one can be used/],
        [{ 'auth-provider': { name: 'gcp' } }, /auth provider "gcp" .* not supported/],
      ];
      for (const [user, message] of cases) {
        await assert.rejects(
          credentialsOf(user),
          (error) => error instanceof ConfigError && message.test(error.message),
          String(message),
        );
      }
      const later = new ManualClock(Date.now() + 7_200_000);
      const selection = selectContext(
        await loadKubeconfig({ path: await write('expired', config(certificate(one.cert, one.key))) }),
      );
      await assert.rejects(userCredentials(selection, later), /client certificate of user "u" expired on 20/);
    });
  });

  describe('execCredentials', () => {
    before(startClock);

    const V1 = 'client.authentication.k8s.io/v1';
    const program = async (script: string): Promise<string> => {
      const path = await write('program', `#!/bin/sh\n${script}\n`);
      await chmod(path, 0o755);
      return path;
    };
    const answer = (status: object, apiVersion = V1): string =>
      `echo '${JSON.stringify({ kind: 'ExecCredential', apiVersion, status })}'`;
    const source = async (script: string, more: object = {}): Promise<CredentialSource> =>
      credentialsOf({
        exec: { apiVersion: V1, interactiveMode: 'Never', command: await program(script), ...more },
      });

    it('runs the program once, until its credentials expire or are refused', async () => {
      const expirationTimestamp = new Date(clock.now() + 60_000).toISOString();
      const runs = join(folder, 'runs');
      const script = `echo x >> ${runs}; if test $(wc -l < ${runs}) = 1
      then ${answer({ token: '1', expirationTimestamp })}; else ${answer({ token: '2' })}; fi`;
      const credentials = await source(script);
      const [one, two] = await Promise.all([credentials.get(), credentials.get()]);
      assert.deepEqual([one.authorization, two.authorization], ['Bearer 1', 'Bearer 1']);
      clock.advance(60_000);
      assert.equal((await credentials.get()).authorization, 'Bearer 2');
      const second = await credentials.get();
      credentials.refused(one);
      assert.equal(await credentials.get(), second);
      credentials.refused(second);
      assert.notEqual(await credentials.get(), second);
    });

    it('tells the program what it was asked for, and gives it its variables and arguments', async () => {
      const credentials = await source(
        `test "$1 $EXTRA" = "arg value" || exit 3; echo "$KUBERNETES_EXEC_INFO" > ${join(folder, 'info')}; ${answer({ token: 't' })}`,
        { args: ['arg'], env: [{ name: 'EXTRA', value: 'value' }], provideClusterInfo: true },
      );
      assert.equal((await credentials.get()).authorization, 'Bearer t');
      const { readFile } = await import('node:fs/promises');
      assert.deepEqual(JSON.parse(await readFile(join(folder, 'info'), 'utf8')), {
        kind: 'ExecCredential',
        apiVersion: V1,
        spec: { interactive: false, cluster: { server: 'https://127.0.0.1:1' } },
      });
    });

    it('gives certificates too, and speaks v1beta1 and the names of either profile', async () => {
      const { cert, key } = await selfSigned();
      for (const group of ['client.authentication.k8s.io', 'client.authentication.orch.io']) {
        const apiVersion = `${group}/v1beta1`;
        const status = { clientCertificateData: cert, clientKeyData: key };
        const credentials = await source(
          answer(status, apiVersion).replaceAll('\\n', '\\\\n').replace("echo '", "printf '"),
          { apiVersion },
        );
        assert.deepEqual((await credentials.get()).certificate, { cert, key });
      }
    });

    it('tells what is wrong with the entry, the program or its answer', async () => {
      const cases: [string, object, RegExp][] = [
        ['', { apiVersion: 'v9' }, /apiVersion "v9"; known are/],
        ['', { interactiveMode: undefined }, /needs an interactiveMode/],
        ['', { interactiveMode: 'Maybe' }, /"Maybe".* is none of Never/],
        ['', { command: '/none' }, /there is no program \/none/],
        ['exit 4', {}, /failed with exit code 4/],
        ['echo hello', {}, /did not write JSON: hello/],
        ['echo {}', {}, /did not write an ExecCredential/],
        [answer({ token: 't' }, 'v2'), {}, /answered in "v2"/],
        [answer({}), {}, /neither a token nor a certificate/],
        [answer({ clientKeyData: 'x' }), {}, /needs its key/],
        [answer({ token: 't', expirationTimestamp: 'soon' }), {}, /"soon" is no time/],
      ];
      for (const [script, more, message] of cases) {
        await assert.rejects(
          async () => (await source(script, more)).get(),
          (error) => error instanceof ConfigError && message.test(error.message),
          String(message),
        );
      }
    });
  });

  describe('impersonationHeaders', () => {
    it('makes headers of users, groups, uids and extra attributes', () => {
      assert.deepEqual(
        impersonationHeaders({
          as: 'jane',
          'as-uid': '7',
          'as-groups': ['a', 'b'],
          'as-user-extra': { 'X/y z': ['1'] },
        }),
        {
          'impersonate-user': 'jane',
          'impersonate-uid': '7',
          'impersonate-group': ['a', 'b'],
          'impersonate-extra-x%2Fy%20z': ['1'],
        },
      );
      assert.deepEqual(impersonationHeaders({}), {});
      assert.throws(() => impersonationHeaders({ 'as-groups': ['a'] }), /only along with a user/);
    });
  });

  describe('connectKubeconfig', () => {
    it('refuses servers that are no addresses, proxies, and authorities along with none', async () => {
      const cases: [object, RegExp][] = [
        [{ server: 'ftp://x' }, /not an address like https/],
        [{ server: 'https://' }, /not an address/],
        [{ 'proxy-url': 'http://p' }, /proxies are not supported/],
        [{ 'certificate-authority-data': 'YQ==', 'insecure-skip-tls-verify': true }, /not allowed/],
        [{ 'certificate-authority-data': base64('no') }, /authority of cluster "c" is not a PEM certificate/],
      ];
      for (const [cluster, message] of cases) {
        const path = await write('connect', config({}, cluster));
        await assert.rejects(connectKubeconfig({ path }), message);
      }
      await assert.rejects(connectKubeconfig({ env: {} }), /no configuration that tells where the server is/);
    });
  });
});
