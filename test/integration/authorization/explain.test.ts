import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';
import { startAccessPlane, type AccessPlane, type Answer } from '../../support/access.ts';

const ORCHCTL = join(import.meta.dirname, '../../../src/cli/orchctl.ts');
const GROUP = '/apis/authorization.orch.io/v1';
const RBAC = '/apis/rbac.authorization.orch.io/v1';
const ANNOTATION = 'authorization.orch.io/explanation';

interface Explained {
  readonly status?: { readonly allowed: boolean };
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

interface Explanation {
  readonly allowed: boolean;
  readonly authorizers: readonly { readonly type: string; readonly verdict: string }[];
  readonly by?: { readonly role: object; readonly binding: object; readonly rule: object };
  readonly nearest?: readonly { readonly misses: readonly string[] }[];
  readonly grant?: readonly { readonly kind: string }[];
}

describe('why something is allowed', function () {
  this.timeout(60_000);
  let server: AccessPlane;

  before(async () => {
    server = await startAccessPlane({ admin: ['system:masters'], jane: ['dev'], auditor: [] });
    await create(`${RBAC}/clusterroles`, {
      ...{ kind: 'ClusterRole', metadata: { name: 'explain' } },
      rules: [
        {
          verbs: ['create', 'explain'],
          apiGroups: ['authorization.orch.io'],
          resources: ['subjectaccessreviews'],
        },
      ],
    });
    await create(`${RBAC}/clusterrolebindings`, {
      ...{ kind: 'ClusterRoleBinding', metadata: { name: 'explain' } },
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'explain' },
      subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name: 'auditor' }],
    });
    await create(`${RBAC}/namespaces/default/rolebindings`, {
      ...{ kind: 'RoleBinding', metadata: { name: 'view' } },
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'Group', name: 'dev' }],
    });
  });
  after(() => server[Symbol.asyncDispose]());

  async function create(path: string, body: object): Promise<void> {
    const answer = await server.ask('admin', {
      ...{ method: 'POST', path },
      body: { apiVersion: 'rbac.authorization.orch.io/v1', ...body },
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  }

  const review = (asker: string, resourceAttributes: object, query = '?explain=true'): Promise<Answer> =>
    server.ask(asker, {
      ...{ method: 'POST', path: `${GROUP}/subjectaccessreviews${query}` },
      body: {
        ...{ apiVersion: 'authorization.orch.io/v1', kind: 'SubjectAccessReview' },
        spec: { user: 'jane', groups: ['dev'], resourceAttributes },
      },
    });

  const explanationIn = ({ body }: Answer): Explanation => {
    const annotation = (body as Explained).metadata?.annotations?.[ANNOTATION];
    return JSON.parse(annotation ?? assert.fail(JSON.stringify(body))) as Explanation;
  };

  const read = { verb: 'get', resource: 'pods', namespace: 'default' };
  const remove = { verb: 'delete', resource: 'pods', namespace: 'default', name: 'web' };

  it('tells the rule, the role and the binding that allow it', async () => {
    const { allowed, authorizers, by } = explanationIn(await review('auditor', read));
    assert.equal(allowed, true);
    assert.deepEqual(
      authorizers.map(({ type, verdict }) => `${type} ${verdict}`),
      ['Masters noOpinion', 'Node noOpinion', 'RBAC allow'],
    );
    assert.deepEqual(by?.binding, { kind: 'RoleBinding', namespace: 'default', name: 'view' });
    assert.deepEqual(by.role, { kind: 'ClusterRole', name: 'view' });
    assert.match(JSON.stringify(by.rule), /"pods"/);
  });

  it('tells what comes nearest, and what would allow it, which then does', async () => {
    const { allowed, nearest, grant } = explanationIn(await review('auditor', remove));
    assert.equal(allowed, false);
    assert.deepEqual(nearest?.[0]?.misses, ['verb']);
    assert.deepEqual(
      grant?.map(({ kind }) => kind),
      ['Role', 'RoleBinding'],
    );
    for (const object of grant ?? []) {
      const path = `${RBAC}/namespaces/default/${object.kind.toLowerCase()}s`;
      const created = await server.ask('admin', { method: 'POST', path, body: object });
      assert.equal(created.status, 201, JSON.stringify(created.body));
    }
    const path = '/api/v1/namespaces/default/pods/web';
    assert.equal((await server.ask('jane', { method: 'DELETE', path })).status, 404);
  });

  it('tells nothing unless it is asked, or to those who may not know', async () => {
    const plain = await review('auditor', read, '');
    assert.equal((plain.body as Explained).metadata?.annotations, undefined);
    assert.equal((plain.body as Explained).status?.allowed, true);
    const self = await server.ask('jane', {
      ...{ method: 'POST', path: `${GROUP}/selfsubjectaccessreviews?explain=true` },
      body: {
        ...{ apiVersion: 'authorization.orch.io/v1', kind: 'SelfSubjectAccessReview' },
        spec: { resourceAttributes: remove },
      },
    });
    assert.equal(self.status, 403);
    assert.doesNotMatch(JSON.stringify(self.body), /"view"|RoleBinding|default/);
  });

  it('is told by orchctl auth why, with what can be applied', async () => {
    const run = async (...args: string[]) => {
      const env = { ...process.env, KUBECONFIG: server.plane.kubeconfigFile };
      const child = spawn(process.execPath, [ORCHCTL, 'auth', 'why', ...args], { env });
      const closed = once(child, 'close') as Promise<[number | null]>;
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
      return { stdout, stderr, code };
    };
    const no = await run('update', 'secrets', '--as=jane', '--as-group=dev');
    assert.equal(no.code, 1, no.stderr);
    assert.match(no.stdout, /^not allowed\n/);
    const [, yaml = ''] = no.stdout.split('this would allow it:\n');
    assert.deepEqual(
      parseAllDocuments(yaml).map((document) => (document.toJS() as { kind: string }).kind),
      ['Role', 'RoleBinding'],
    );
    const yes = await run('list', 'pods', '--as=jane', '--as-group=dev');
    assert.equal(yes.code, 0, yes.stderr);
    assert.match(
      yes.stdout,
      /^allowed\n[^]*ClusterRole view, bound to Group dev by RoleBinding default\/view\n/,
    );
    assert.match((await run('delete', 'nodes')).stdout, /Masters \(system:masters\) allows it/);
  });
});
