import assert from 'node:assert/strict';
import { Victim, type Sent } from './victim.ts';

const SELF = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const SECRETS = '/api/v1/namespaces/team/secrets';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const read: Pick<Sent, 'method' | 'path'> = { method: 'GET', path: SECRETS };

interface Attack extends Partial<Sent> {
  readonly title: string;
  readonly status: number;
}

/** `actor` may act as the user `bob`, who may nothing; `tenant` may nothing at all. All ask for the Secrets of a namespace. */
const IMPERSONATIONS: readonly Attack[] = (
  [
    ['tenant', 'an administrator', ['Impersonate-User', 'admin']],
    [
      'tenant',
      'themselves in a group',
      ['Impersonate-User', 'tenant', 'Impersonate-Group', 'system:masters'],
    ],
    ['actor', 'somebody else', ['Impersonate-User', 'lead']],
    ['actor', 'an administrator', ['Impersonate-User', 'admin']],
    [
      'actor',
      'bob in the administrators’ group',
      ['Impersonate-User', 'bob', 'Impersonate-Group', 'system:masters'],
    ],
    [
      'actor',
      'bob in two groups, the second of which is the administrators’',
      ['Impersonate-User', 'bob', 'Impersonate-Group', 'x', 'Impersonate-Group', 'system:masters'],
    ],
    ['actor', 'bob by another uid', ['Impersonate-User', 'bob', 'Impersonate-Uid', 'uid-admin']],
    ['actor', 'bob with extra', ['Impersonate-User', 'bob', 'Impersonate-Extra-Scopes', 'all']],
    [
      'actor',
      'bob with encoded extra',
      ['Impersonate-User', 'bob', 'Impersonate-Extra-acme.com%2Fscope', 'all'],
    ],
    ['actor', 'a service account', ['Impersonate-User', 'system:serviceaccount:team:default']],
    ['actor', 'a node', ['Impersonate-User', 'system:node:one', 'Impersonate-Group', 'system:nodes']],
    ['actor', 'bob written otherwise', ['Impersonate-User', 'Bob']],
    ['actor', 'bob with a space', ['Impersonate-User', 'bob ,admin']],
    ['actor', 'somebody who looks like bob', ['Impersonate-User', 'b\u00f6b']],
    ['actor', 'nobody', ['Impersonate-User', 'system:anonymous']],
  ] as const
).map(([as, whom, headers]) => ({ title: `${as} acts as ${whom}`, status: 403, as, headers }));

const HALF_IMPERSONATIONS: readonly Attack[] = [
  { title: 'actor acts as a group of nobody', headers: ['Impersonate-Group', 'system:masters'] },
  { title: 'actor acts as a uid of nobody', headers: ['Impersonate-Uid', 'uid-admin'] },
  { title: 'actor acts as extra of nobody', headers: ['Impersonate-Extra-Scopes', 'all'] },
  {
    title: 'actor acts as an empty name',
    headers: ['Impersonate-User', '', 'Impersonate-Group', 'system:masters'],
  },
].map((attack) => ({ ...attack, as: 'actor', status: 500 }));

const bearer = (token: string): Partial<Sent> => ({ headers: ['Authorization', `Bearer ${token}`] });
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const unsigned = (claims: object, header: object = { alg: 'none', typ: 'JWT' }): string =>
  `${encoded(header)}.${encoded(claims)}.`;
const ACCOUNT = {
  iss: 'https://kubernetes.default.svc',
  sub: 'system:serviceaccount:kube-system:default',
  aud: ['https://kubernetes.default.svc'],
  exp: 4_102_444_800,
  'kubernetes.io': { namespace: 'kube-system', serviceaccount: { name: 'default', uid: 'x' } },
};

/** Nobody's requests, with what might be taken for credentials. A wrong credential is refused, not ignored. */
const CREDENTIALS: readonly Attack[] = [
  { title: 'no credential', status: 403 },
  { title: 'an empty token', status: 403, ...bearer('') },
  { title: 'a wrong token', status: 401, ...bearer('wrong') },
  { title: 'the beginning of a token', status: 401, ...bearer('admi') },
  { title: 'a token with something behind it', status: 401, ...bearer('admin admin') },
  { title: 'a token in other letters', status: 401, ...bearer('ADMIN') },
  { title: 'a token of a megabyte', status: 431, ...bearer('a'.repeat(1_000_000)) },
  { title: 'a token of dots', status: 401, ...bearer('..') },
  { title: 'an unsigned web token', status: 401, ...bearer(unsigned(ACCOUNT)) },
  {
    title: 'an unsigned web token in other letters',
    status: 401,
    ...bearer(unsigned(ACCOUNT, { alg: 'nOnE' })),
  },
  {
    title: 'a web token that brings its own key',
    status: 401,
    ...bearer(`${unsigned(ACCOUNT, { alg: 'RS256', jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } })}AAAA`),
  },
  {
    title: 'a web token that says where its key is',
    status: 401,
    ...bearer(`${unsigned(ACCOUNT, { alg: 'RS256', jku: 'https://127.0.0.1:1/keys', kid: '../../x' })}AAAA`),
  },
  {
    title: 'a name and a password',
    status: 403,
    headers: ['Authorization', 'Basic YWRtaW46YWRtaW4='],
  },
  { title: 'another scheme', status: 403, headers: ['Authorization', 'Negotiate admin'] },
  { title: 'a token without a scheme', status: 403, headers: ['Authorization', 'admin'] },
  {
    title: 'a wrong credential before a right one',
    status: 401,
    headers: ['Authorization', 'Bearer wrong', 'Authorization', 'Bearer admin'],
  },
  { title: 'a token in the query', status: 403, path: `${SECRETS}?access_token=admin` },
  {
    title: 'a token in a cookie',
    status: 403,
    headers: ['Cookie', 'token=admin; Authorization=Bearer admin'],
  },
  { title: 'a token for the proxy', status: 403, headers: ['Proxy-Authorization', 'Bearer admin'] },
  {
    title: 'headers of an authenticating proxy',
    status: 403,
    headers: ['X-Remote-User', 'admin', 'X-Remote-Group', 'system:masters', 'X-Remote-Extra-A', 'b'],
  },
  {
    title: 'headers of other proxies',
    status: 403,
    headers: ['X-Forwarded-User', 'admin', 'Remote-User', 'admin'],
  },
  {
    title: 'a certificate in a header',
    status: 403,
    headers: ['X-Client-Cert', 'MIIB', 'X-SSL-Client-S-DN', 'CN=admin,O=system:masters'],
  },
  {
    title: 'impersonation without being anybody',
    status: 403,
    headers: ['Impersonate-User', 'admin', 'Impersonate-Group', 'system:masters'],
  },
];

describe('attacks: who asks', function () {
  this.timeout(30_000);
  let victim: Victim;

  before(async () => {
    victim = await Victim.start([{ name: 'actor' }, { name: 'tenant' }]);
    await victim.prepare('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
    await victim.prepare('POST', SECRETS, { metadata: { name: 'gold' }, stringData: { is: 'here' } });
    const rule = { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['bob'] };
    await victim.prepare('POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'acts-as-bob' },
      rules: [rule],
    });
    await victim.prepare('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'actor' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'acts-as-bob' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'actor' }],
    });
  });
  after(() => victim.stop());

  it('the right token reads what the others may not', async () => {
    const { status, text } = await victim.send({ ...read, as: 'admin' });
    assert.equal(status, 200);
    assert.match(text, /gold/);
  });

  it('actor may act as bob, who is told so', async () => {
    const headers = ['Impersonate-User', 'bob'];
    const { status, text } = await victim.send({
      method: 'POST',
      path: SELF,
      as: 'actor',
      headers,
      body: {},
    });
    assert.equal(status, 201, text);
    assert.match(text, /"username":"bob"/);
    assert.doesNotMatch(text, /actor/);
  });

  for (const [kind, attacks] of [
    ['impersonation', IMPERSONATIONS],
    ['half an impersonation', HALF_IMPERSONATIONS],
    ['credentials', CREDENTIALS],
  ] as const) {
    describe(kind, () => {
      for (const { title, status, ...sent } of attacks) {
        it(`${title}: ${status}`, async () => {
          const answer = await victim.send({ ...read, ...sent });
          assert.equal(answer.status, status, answer.text);
          assert.doesNotMatch(answer.text, /gold/);
          assert.doesNotMatch(answer.text, /Bearer|wrong/);
        });
      }
    });
  }
});
