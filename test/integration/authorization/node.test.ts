import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { startAccessPlane, type AccessPlane, type Ask } from '../../support/access.ts';

const NODE = 'system:node:one';

describe('--authorization-mode=Node', function () {
  this.timeout(60_000);
  let server: AccessPlane;

  before(async () => {
    server = await startAccessPlane({ [NODE]: ['system:nodes'], admin: ['system:masters'] });
    for (const name of ['used', 'other']) {
      await create('/api/v1/namespaces/default/secrets', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name },
      });
    }
    await create('/api/v1/namespaces/default/serviceaccounts', {
      ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
      metadata: { name: 'default' },
    });
  });
  after(() => server[Symbol.asyncDispose]());

  async function create(path: string, body: object): Promise<void> {
    const { status, body: answer } = await server.ask('admin', { method: 'POST', path, body });
    assert.ok(status === 201 || status === 409, JSON.stringify(answer));
  }

  const statusOf = async (ask: Ask): Promise<number> => (await server.ask(NODE, ask)).status;

  /** The graph follows the store: what changed counts within 100 ms. */
  async function becomes(ask: Ask, status: number): Promise<void> {
    const end = performance.now() + 1000;
    while ((await statusOf(ask)) !== status) {
      assert.ok(performance.now() < end, `${ask.path} doesn't become ${status}`);
      await wait(5);
    }
  }

  it('lets a node read the secrets of its pods, for as long as they are there', async () => {
    const used = { path: '/api/v1/namespaces/default/secrets/used' };
    assert.equal(await statusOf(used), 403);
    await create('/api/v1/namespaces/default/pods', {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
      spec: {
        nodeName: 'one',
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'v', secret: { secretName: 'used' } }],
      },
    });
    await becomes(used, 200);
    assert.equal(await statusOf({ path: '/api/v1/namespaces/default/secrets/other' }), 403);
    assert.equal(await statusOf({ path: '/api/v1/namespaces/default/secrets' }), 403);
    assert.equal(
      await statusOf({ path: '/api/v1/namespaces/default/secrets?fieldSelector=metadata.name%3Dused' }),
      200,
    );
    const path = '/api/v1/namespaces/default/pods/p?gracePeriodSeconds=0';
    assert.equal((await server.ask('admin', { method: 'DELETE', path })).status, 200);
    await becomes(used, 403);
  });

  for (const [path, status] of [
    ['/api/v1/pods?fieldSelector=spec.nodeName%3Done', 200],
    ['/api/v1/pods?fieldSelector=spec.nodeName%3Dtwo', 403],
    ['/api/v1/pods', 403],
    ['/api/v1/nodes/one', 404],
    ['/api/v1/nodes/two', 403],
    ['/api/v1/nodes', 403],
    ['/api/v1/services', 200],
    ['/apis/storage.orch.io/v1/csinodes/two', 403],
  ] as const) {
    it(`answers a node's GET ${path} with ${status}`, async () =>
      assert.equal(await statusOf({ path }), status));
  }

  it('says that the rules of nodes can not be listed', async () => {
    const body = {
      ...{ apiVersion: 'authorization.orch.io/v1', kind: 'SelfSubjectRulesReview' },
      spec: { namespace: 'default' },
    };
    const path = '/apis/authorization.orch.io/v1/selfsubjectrulesreviews';
    const answer = await server.ask(NODE, { method: 'POST', path, body });
    const { status } = answer.body as { status: { incomplete: boolean; evaluationError: string } };
    assert.equal(status.incomplete, true);
    assert.match(status.evaluationError, /^what nodes may do/);
  });
});
