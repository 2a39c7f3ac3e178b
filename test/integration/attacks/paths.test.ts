import assert from 'node:assert/strict';
import { Victim, type Sent } from './victim.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const SECRETS = '/api/v1/namespaces/vault/secrets';
const CONTENT = 'dG9wLXNlY3JldA==';
const ROLES = { apiVersion: 'rbac.authorization.k8s.io/v1' };

/**
 * Mallory may get and list config maps of one namespace, get one secret of it by name, get its pods, and read `/open` and
 * what is below. Each row asks for more than that by a spelling of the path or a verb that authorization might see
 * otherwise than what is served. Below `/open` is nothing: what she may ask for there is answered with 404.
 */
const ATTACKS: readonly (readonly [trick: string, sent: Omit<Sent, 'as'>])[] = [
  ['a slash twice before the resource', { method: 'GET', path: '/api/v1/namespaces/vault//secrets' }],
  ['a slash twice at the beginning', { method: 'GET', path: `/${SECRETS}/treasure` }],
  ['a slash twice before the name', { method: 'GET', path: `${SECRETS}//treasure` }],
  ['a slash at the end', { method: 'GET', path: `${SECRETS}/treasure/` }],
  ['several slashes at the end of a list', { method: 'GET', path: `${SECRETS}///` }],
  ['an encoded slash in the name', { method: 'GET', path: '/api/v1/namespaces/vault/secrets%2Ftreasure' }],
  [
    'an encoded slash out of the own namespace',
    { method: 'GET', path: '/api/v1/namespaces/mine/configmaps/..%2F..%2Fvault%2Fsecrets%2Ftreasure' },
  ],
  [
    'an encoded slash in the namespace',
    { method: 'GET', path: '/api/v1/namespaces/mine%2F..%2Fvault/secrets/treasure' },
  ],
  ['a slash that is encoded twice', { method: 'GET', path: '/api/v1/namespaces/vault%252Fsecrets/treasure' }],
  [
    'dots out of the own namespace',
    { method: 'GET', path: '/api/v1/namespaces/mine/configmaps/../../vault/secrets/treasure' },
  ],
  [
    'encoded dots',
    { method: 'GET', path: '/api/v1/namespaces/mine/configmaps/%2e%2e/%2e%2e/vault/secrets/treasure' },
  ],
  ['dots out of an open path', { method: 'GET', path: '/open/../api/v1/namespaces/vault/secrets/treasure' }],
  [
    'encoded dots out of an open path',
    { method: 'GET', path: '/open/%2e%2e/api/v1/namespaces/vault/secrets' },
  ],
  ['a dot in between', { method: 'GET', path: '/api/v1/./namespaces/vault/secrets/treasure' }],
  ['capitals in the resource', { method: 'GET', path: '/api/v1/namespaces/vault/Secrets/treasure' }],
  ['capitals in the root', { method: 'GET', path: '/API/v1/namespaces/vault/secrets/treasure' }],
  ['capitals in the namespace', { method: 'GET', path: '/api/v1/namespaces/Vault/secrets/treasure' }],
  ['a letter that is encoded', { method: 'GET', path: '/api/v1/namespaces/vault/%73ecrets/treasure' }],
  ['a NUL at the end of the name', { method: 'GET', path: '/api/v1/namespaces/mine/secrets/own%00treasure' }],
  ['a path parameter', { method: 'GET', path: '/api/v1/namespaces/mine;x/../vault/secrets/treasure' }],
  ['a question mark that is encoded', { method: 'GET', path: `${SECRETS}/treasure%3Fwatch=1` }],
  ['a fragment that is encoded', { method: 'GET', path: '/open%23/../api/v1/secrets' }],
  ['a whole address for a path', { method: 'GET', path: `http://localhost${SECRETS}/treasure` }],
  ['HEAD for get', { method: 'HEAD', path: `${SECRETS}/treasure` }],
  ['HEAD for list', { method: 'HEAD', path: SECRETS }],
  ['the deprecated path of a watch', { method: 'GET', path: '/api/v1/watch/namespaces/vault/secrets' }],
  [
    'the deprecated path of a watch of one',
    { method: 'GET', path: '/api/v1/watch/namespaces/vault/secrets/treasure' },
  ],
  [
    'the deprecated path of a proxy',
    { method: 'GET', path: '/api/v1/proxy/namespaces/vault/secrets/treasure' },
  ],
  [
    'a watch where only lists are allowed',
    { method: 'GET', path: '/api/v1/namespaces/mine/configmaps?watch=1' },
  ],
  ['a watch in another spelling', { method: 'GET', path: '/api/v1/namespaces/mine/configmaps?watch=' }],
  ['a watch behind a watch that is none', { method: 'GET', path: `${SECRETS}?watch=false&watch=true` }],
  [
    'a list by the name that one may get',
    { method: 'GET', path: '/api/v1/namespaces/mine/secrets?fieldSelector=metadata.name%3Down' },
  ],
  ['all namespaces where one is allowed', { method: 'GET', path: '/api/v1/configmaps' }],
  [
    'all namespaces by a selector of one',
    { method: 'GET', path: '/api/v1/configmaps?fieldSelector=metadata.namespace%3Dmine' },
  ],
  ['a subresource of what one may get', { method: 'GET', path: '/api/v1/namespaces/mine/pods/p/log' }],
  [
    'a subresource that does not exist',
    { method: 'GET', path: '/api/v1/namespaces/mine/configmaps/c/nothing' },
  ],
  ['exec by get', { method: 'GET', path: '/api/v1/namespaces/mine/pods/p/exec?command=sh' }],
  [
    'deletion of a collection where get is allowed',
    { method: 'DELETE', path: '/api/v1/namespaces/mine/configmaps' },
  ],
  [
    'deletion by an overriding header',
    {
      method: 'POST',
      path: '/api/v1/namespaces/mine/configmaps/c',
      headers: ['X-HTTP-Method-Override', 'DELETE'],
    },
  ],
  ['a method that does not exist', { method: 'SEARCH', path: SECRETS }],
  ['another version of the group', { method: 'GET', path: '/api/v2/namespaces/vault/secrets/treasure' }],
  ['the core group by name', { method: 'GET', path: '/apis/core/v1/namespaces/vault/secrets/treasure' }],
  ['the core group by an empty name', { method: 'GET', path: '/apis//v1/namespaces/vault/secrets/treasure' }],
  ['a namespace for a resource', { method: 'GET', path: '/api/v1/namespaces/vault' }],
  ['what finishes a namespace', { method: 'PUT', path: '/api/v1/namespaces/mine/finalize', body: {} }],
  ['the beginning of an open path only', { method: 'GET', path: '/opening' }],
  ['metrics behind two slashes', { method: 'GET', path: '//metrics' }],
  ['metrics with a slash at the end', { method: 'GET', path: '/metrics/' }],
];

describe('tricks with paths and verbs', function () {
  this.timeout(60_000);
  let victim: Victim;

  before(async () => {
    victim = await Victim.start([{ name: 'mallory' }]);
    for (const name of ['vault', 'mine']) {
      await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    const secret = { apiVersion: 'v1', kind: 'Secret', data: { gold: CONTENT } };
    await create(SECRETS, { ...secret, metadata: { name: 'treasure' } });
    await create('/api/v1/namespaces/mine/secrets', { ...secret, metadata: { name: 'other' } });
    await create('/api/v1/namespaces/mine/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c' },
    });
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'mallory' }];
    const ref = { apiGroup: 'rbac.authorization.k8s.io', name: 'little' };
    await create(`${RBAC}/namespaces/mine/roles`, {
      ...{ ...ROLES, kind: 'Role', metadata: { name: 'little' } },
      rules: [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
        { apiGroups: [''], resources: ['secrets'], resourceNames: ['own'], verbs: ['get'] },
      ],
    });
    await create(`${RBAC}/namespaces/mine/rolebindings`, {
      ...{ ...ROLES, kind: 'RoleBinding', metadata: { name: 'little' } },
      ...{ subjects, roleRef: { ...ref, kind: 'Role' } },
    });
    await create(`${RBAC}/clusterroles`, {
      ...{ ...ROLES, kind: 'ClusterRole', metadata: { name: 'little' } },
      rules: [{ nonResourceURLs: ['/open', '/open/*'], verbs: ['get'] }],
    });
    await create(`${RBAC}/clusterrolebindings`, {
      ...{ ...ROLES, kind: 'ClusterRoleBinding', metadata: { name: 'little' } },
      ...{ subjects, roleRef: { ...ref, kind: 'ClusterRole' } },
    });
  });
  after(() => victim.stop());

  async function create(path: string, body: object): Promise<void> {
    const { status, text } = await victim.send({ method: 'POST', path, body, as: 'admin' });
    assert.equal(status, 201, text);
  }

  it('do not stop what is allowed', async () => {
    for (const [path, status] of [
      ['/api/v1/namespaces/mine/configmaps', 200],
      ['/api/v1/namespaces/mine/configmaps/c', 200],
      ['/api/v1/namespaces/mine/secrets/own', 404],
      ['/open/door', 404],
    ] as const) {
      assert.equal((await victim.send({ method: 'GET', path, as: 'mallory' })).status, status, path);
    }
  });

  for (const [trick, sent] of ATTACKS) {
    it(`${sent.method} ${sent.path}: ${trick}`, async () => {
      const { status, text } = await victim.send({ ...sent, as: 'mallory' });
      assert.equal(status, sent.path.startsWith('/open/') ? 404 : 403, text);
      assert.doesNotMatch(text, /"kind":"Secret"/);
      assert.doesNotMatch(text, new RegExp(CONTENT));
    });
  }

  it('have changed nothing', async () => {
    for (const path of [
      `${SECRETS}/treasure`,
      '/api/v1/namespaces/mine/configmaps/c',
      '/api/v1/namespaces/mine',
    ]) {
      const { status, text } = await victim.send({ method: 'GET', path, as: 'admin' });
      assert.equal(status, 200, path);
      assert.doesNotMatch(text, /deletionTimestamp/);
    }
  });
});
