import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../src/client/client.ts';
import { fixedCredentials } from '../../src/client/https/credentials.ts';
import { HttpsTransport } from '../../src/client/https/https-transport.ts';
import type { KubeObject } from '../../src/client/kinds.ts';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

interface TokenSecret extends KubeObject {
  type?: string;
  data?: { token?: string; namespace?: string; 'ca.crt'?: string };
}

interface SelfReview extends KubeObject {
  status?: { userInfo?: { username?: string; uid?: string } };
}

interface Pod extends KubeObject {
  spec?: {
    serviceAccountName?: string;
    priority?: number;
    tolerations?: { key?: string }[];
    volumes?: { name: string; projected?: object }[];
    containers: { name: string; image: string; volumeMounts?: { name: string; mountPath: string }[] }[];
  };
}

for (const store of ['embedded', 'etcd'] as const) {
  describe(`service accounts on the ${store} store`, function () {
    this.timeout(60_000);
    let etcd: TestEtcd | undefined;
    let server: ServerProcess;
    let client: Client;

    before(async function () {
      this.timeout(OBTAIN_TIMEOUT_MS);
      if (store === 'etcd') etcd = await startEtcd();
      const args = etcd === undefined ? [] : [`--etcd-servers=${etcd.endpoint}`];
      server = await startProcess({ args });
      client = await Client.fromKubeconfig({ path: server.kubeconfig });
    });
    after(async () => {
      await client.close();
      await server.stop();
      await etcd?.stop();
    });

    const core = <T extends KubeObject>(kind: string, namespace: string) =>
      client.resource<T>('v1', kind).namespace(namespace);
    const makeNamespace = (name: string) => client.resource('v1', 'Namespace').create({ metadata: { name } });
    /** Waits for a version of an object. */
    const becomes = async <T extends KubeObject>(
      kind: string,
      [namespace, name]: readonly [string, string],
      isRight: (object: T) => boolean = () => true,
    ): Promise<T> => {
      const objects = core<T>(kind, namespace);
      for await (const { type, object } of objects.watch({ fieldSelector: `metadata.name=${name}` })) {
        if (type !== 'DELETED' && isRight(object)) return object;
      }
      return assert.fail('the watch ended');
    };

    /** Whom the server takes the bearer of a token for. */
    const who = async (token: string, onWarning?: (text: string) => void): Promise<object | number> => {
      const authority = readFileSync(join(server.directory, 'pki/ca.crt'), 'utf8');
      const transport = new HttpsTransport({
        server: server.url,
        authority,
        credentials: fixedCredentials({ authorization: `Bearer ${token}` }),
      });
      const bearer = new Client({ transport, server: server.url, onWarning });
      try {
        const reviews = bearer.resource<SelfReview>('authentication.orch.io/v1', 'SelfSubjectReview');
        const { status } = await reviews.create({ metadata: {} });
        return { username: status?.userInfo?.username, uid: status?.userInfo?.uid };
      } catch (error) {
        return (error as { code: number }).code;
      } finally {
        await bearer.close();
      }
    };

    it('let a pod start in a namespace that was made a moment ago', async () => {
      await makeNamespace('new');
      const { spec } = await core<Pod>('Pod', 'new').create({
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      });
      assert.equal(spec?.serviceAccountName, 'default');
      assert.equal(spec.priority, 0);
      assert.deepEqual(
        spec.tolerations?.map(({ key }) => key),
        ['node.orch.io/not-ready', 'node.orch.io/unreachable'],
      );
      const [volume] = spec.volumes ?? [];
      assert.match(volume?.name ?? '', /^kube-api-access-[a-z0-9]{5}$/);
      const [mount] = spec.containers[0]?.volumeMounts ?? [];
      assert.equal(mount?.name, volume?.name);
      assert.equal(mount?.mountPath, '/var/run/secrets/orch.io/serviceaccount');
    });

    it('refuse a pod whose account does not exist', async () => {
      await assert.rejects(
        core<Pod>('Pod', 'default').create({
          metadata: { name: 'p' },
          spec: { serviceAccountName: 'absent', containers: [{ name: 'c', image: 'i' }] },
        }),
        { code: 403, message: /no service account absent/ },
      );
    });

    it('have tokens in Secrets, which end with the Secret and with the account', async () => {
      const accounts = core('ServiceAccount', 'default');
      const account = await accounts.create({ metadata: { name: 'robot' } });
      const secret = (name: string): TokenSecret => ({
        metadata: { name, annotations: { 'orch.io/service-account.name': 'robot' } },
        type: 'orch.io/service-account-token',
      });
      const secrets = core<TokenSecret>('Secret', 'default');
      const tokens: string[] = [];
      for (const name of ['one', 'two']) {
        await secrets.create(secret(name));
        const { data, metadata } = await becomes<TokenSecret>(
          'Secret',
          ['default', name],
          (object) => object.data?.token !== undefined,
        );
        assert.equal(metadata.annotations?.['orch.io/service-account.uid'], account.metadata.uid);
        assert.equal(Buffer.from(data?.namespace ?? '', 'base64').toString(), 'default');
        tokens.push(Buffer.from(data?.token ?? '', 'base64').toString());
      }
      const [one = '', two = ''] = tokens;
      for (const token of [one, two]) {
        assert.deepEqual(await who(token), {
          username: 'system:serviceaccount:default:robot',
          uid: account.metadata.uid,
        });
      }
      const warnings: string[] = [];
      const note = (text: string): void => void warnings.push(text);
      await who(one, note);
      assert.deepEqual(warnings, [], 'a Secret that somebody has made');
      await accounts.patch('robot', { type: 'merge', patch: { secrets: [{ name: 'one' }] } });
      await who(one, note);
      assert.match(warnings.join(), /^the token of a Secret that was made for its account will not be/);
      await secrets.delete('one');
      assert.equal(await who(one), 401);
      await accounts.delete('robot');
      assert.equal(await who(two), 401);
      while ((await secrets.list()).items.some(({ metadata }) => metadata.name === 'two'));
    });

    it("come back, and so does the server's authority", async () => {
      await makeNamespace('robbed');
      const account = ['robbed', 'default'] as const;
      const { metadata } = await becomes('ServiceAccount', account);
      await core('ServiceAccount', 'robbed').delete('default');
      await becomes('ServiceAccount', account, (object) => object.metadata.uid !== metadata.uid);

      const authority = readFileSync(join(server.directory, 'pki/ca.crt'), 'utf8');
      const rootCa = ['robbed', 'orch-root-ca.crt'] as const;
      const isRight = ({ data }: KubeObject & { data?: Record<string, string> }): boolean =>
        data?.['ca.crt'] === authority;
      await becomes('ConfigMap', rootCa, isRight);
      await core('ConfigMap', 'robbed').delete('orch-root-ca.crt');
      await becomes('ConfigMap', rootCa, isRight);
    });
  });
}
