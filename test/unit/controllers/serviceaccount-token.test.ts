import assert from 'node:assert/strict';
import type { RunningController } from '../../../src/controllers/controller.ts';
import { serviceAccountTokens } from '../../../src/controllers/serviceaccount-token/controller.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const CORE = '/api/v1/namespaces/default';
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';
const MERGE = 'application/merge-patch+json';

describe('serviceaccount-token-controller', () => {
  let cluster: Cluster;
  let running: RunningController | undefined;
  let failures: string[];
  let issued: string[];

  const start = (authority = 'authority'): void => {
    const controller = serviceAccountTokens({
      authority,
      issue({ namespace, name, uid }, secret) {
        issued.push(`${namespace}/${name} ${secret.name}`);
        return `token of ${uid} in ${secret.name}`;
      },
    });
    const told = controllerParts(cluster, controller.name, ({ severity, fields }) => {
      if (severity === 'error') failures.push(String(fields['err']));
    });
    running = controller.start(told);
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const account = async (name = 'robot'): Promise<string> => {
    const body = { metadata: { name }, secrets: [{ name: 'other' }, { name: 'token' }] };
    const { object } = await cluster.expect(201, `POST ${CORE}/serviceaccounts`, { body });
    return object.metadata.uid ?? '';
  };
  const secret = (annotations: Record<string, string> = { [NAME]: 'robot' }, data = {}) =>
    cluster.expect(201, `POST ${CORE}/secrets`, {
      body: { metadata: { name: 'token', annotations }, type: 'kubernetes.io/service-account-token', data },
    });
  const read = async (): Promise<ApiObject> =>
    (await cluster.expect(200, `GET ${CORE}/secrets/token`)).object;
  const dataOf = (object: ApiObject): Record<string, string> =>
    Object.fromEntries(
      Object.entries((object['data'] ?? {}) as Record<string, string>).map(([key, value]) => [
        key,
        Buffer.from(value, 'base64').toString(),
      ]),
    );
  const becomes = async (isRight: (data: Record<string, string>) => boolean): Promise<ApiObject> => {
    for (;;) {
      const object = await read();
      if (isRight(dataOf(object))) return object;
      await turn();
    }
  };
  const goes = async (): Promise<void> => {
    while ((await cluster.ask(`GET ${CORE}/secrets/token`)).status !== 404) await turn();
  };

  beforeEach(async () => {
    cluster = await Cluster.open();
    failures = [];
    issued = [];
  });
  afterEach(() => {
    running?.close();
    cluster.close();
    assert.deepEqual(failures, []);
  });

  for (const order of ['before', 'after'] as const) {
    it(`fills a Secret that was made ${order} it began`, async () => {
      const uid = await account();
      if (order === 'after') start();
      await secret();
      if (order === 'before') start();
      const filled = await becomes(({ token }) => token !== undefined);
      assert.deepEqual(dataOf(filled), {
        'ca.crt': 'authority',
        namespace: 'default',
        token: `token of ${uid} in token`,
      });
      assert.deepEqual({ ...filled.metadata.annotations }, { [NAME]: 'robot', [UID]: uid });
    });
  }

  it('puts back what somebody takes out, and leaves the rest', async () => {
    const uid = await account();
    start();
    await secret({ [NAME]: 'robot' }, { own: Buffer.from('mine').toString('base64') });
    await becomes(({ token }) => token !== undefined);
    await cluster.expect(200, `PATCH ${CORE}/secrets/token`, {
      contentType: MERGE,
      body: { data: { token: null, namespace: null } },
    });
    const filled = await becomes(({ token }) => token !== undefined);
    assert.equal(dataOf(filled)['own'], 'mine');
    assert.equal(dataOf(filled)['token'], `token of ${uid} in token`);
    assert.equal(issued.length, 2);
  });

  it('replaces the authority, and keeps the token', async () => {
    await account();
    start('old');
    await secret();
    await becomes(({ token }) => token !== undefined);
    running?.close();
    start('new');
    await becomes((data) => data['ca.crt'] === 'new');
    assert.equal(issued.length, 1);
  });

  it('deletes the Secret of an account that never was', async () => {
    start();
    await secret();
    await goes();
    assert.deepEqual(issued, []);
  });

  it('deletes it with the account', async () => {
    await account();
    start();
    await secret();
    await becomes(({ token }) => token !== undefined);
    await cluster.expect(200, `DELETE ${CORE}/serviceaccounts/robot`);
    await goes();
  });

  it('deletes it where the account was made anew, also while nobody looked', async () => {
    await account();
    start();
    await secret();
    await becomes(({ token }) => token !== undefined);
    running?.close();
    await cluster.expect(200, `DELETE ${CORE}/serviceaccounts/robot`);
    await account();
    start();
    await goes();
  });

  it('takes a deleted Secret from the list of its account', async () => {
    await account();
    start();
    await secret();
    await becomes(({ token }) => token !== undefined);
    await cluster.expect(200, `DELETE ${CORE}/secrets/token`);
    for (;;) {
      const { object } = await cluster.expect(200, `GET ${CORE}/serviceaccounts/robot`);
      const names = (object['secrets'] as { name: string }[]).map(({ name }) => name);
      if (names.join() === 'other') break;
      await turn();
    }
  });

  it('leaves Secrets of other types alone', async () => {
    start();
    await cluster.expect(201, `POST ${CORE}/secrets`, {
      body: { metadata: { name: 'plain', annotations: { [NAME]: 'robot' } } },
    });
    await secret();
    await goes();
    await cluster.expect(200, `GET ${CORE}/secrets/plain`);
  });
});
