import assert from 'node:assert/strict';
import { startControlPlane, type TestControlPlane } from '../../src/testing/index.ts';
import { StatusError } from '../../src/client/status-error.ts';

const GROUP = 'rbac.authorization.orch.io';
const READS = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
const BINDS = [{ apiGroups: [GROUP], resources: ['rolebindings'], verbs: ['create'] }];

/** Roles are read when somebody's rights depend on them for the first time. */
describe('who may do what in a copy of a control plane', function () {
  this.timeout(60_000);
  let plane: TestControlPlane;
  let copy: TestControlPlane;
  before(async () => {
    plane = await startControlPlane();
    const roles = plane.client.resource(`${GROUP}/v1`, 'Role').namespace('default');
    await roles.create({ metadata: { name: 'reader' }, rules: [...READS, ...BINDS] });
    const bindings = plane.client.resource(`${GROUP}/v1`, 'RoleBinding').namespace('default');
    await bindings.create(binding('reader', 'reader', 'alice'));
  });
  beforeEach(async () => (copy = await plane.fork()));
  afterEach(() => copy.stop());
  after(() => plane.stop());

  it('is decided by the roles that were copied, from the first request on', async () => {
    assert.deepEqual(await Promise.all([list(copy, 'alice'), list(copy, 'bob')]), [200, 403]);
  });

  it('is decided by those of the snapshot after a restore', async () => {
    const snapshot = await copy.snapshot();
    await copy.client.resource(`${GROUP}/v1`, 'RoleBinding').namespace('default').delete('reader');
    await copy.restore(snapshot);
    assert.equal(await list(copy, 'alice'), 200);
  });

  it('is told to whoever asks for it first', async () => {
    const review = await copy.client.json<{ status: { resourceRules: object[] } }>({
      method: 'POST',
      path: '/apis/authorization.orch.io/v1/selfsubjectrulesreviews',
      body: { spec: { namespace: 'default' } },
    });
    assert.ok(
      review.status.resourceRules.some((rule) => 'resources' in rule && String(rule.resources) === '*'),
    );
  });

  it('bounds what is handed on, where requests are not decided by roles', async () => {
    await using open = await startControlPlane({ flags: ['--authorization-mode=AlwaysAllow'] });
    await using child = await open.fork();
    // Everything is allowed in it, handing on what nobody has given included.
    assert.equal(await create(child, 'alice', binding('admins', 'none', 'bob')), 201);
    const refused = await create(copy, 'alice', binding('admins', 'cluster-admin', 'bob', 'ClusterRole'));
    assert.equal(refused, 403);
  });
});

function binding(name: string, role: string, user: string, kind = 'Role') {
  return {
    metadata: { name },
    roleRef: { apiGroup: GROUP, kind, name: role },
    subjects: [{ apiGroup: GROUP, kind: 'User', name: user }],
  };
}

function list(plane: TestControlPlane, user: string): Promise<number> {
  return codeOf(plane, user, { method: 'GET', path: '/api/v1/namespaces/default/configmaps' });
}

function create(plane: TestControlPlane, user: string, body: object): Promise<number> {
  const path = `/apis/${GROUP}/v1/namespaces/default/rolebindings`;
  return codeOf(plane, user, { method: 'POST', path, body });
}

async function codeOf(
  { client }: TestControlPlane,
  user: string,
  request: Parameters<TestControlPlane['client']['json']>[0],
): Promise<number> {
  try {
    await client.json({ ...request, headers: { 'impersonate-user': user } });
    return request.method === 'POST' ? 201 : 200;
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
}
