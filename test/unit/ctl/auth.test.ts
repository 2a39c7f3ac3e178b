import assert from 'node:assert/strict';
import type { ApiObject } from '../../../src/meta/object.ts';
import { reconcileBinding } from '../../../src/cli/ctl/rbac/reconcile-binding.ts';
import { reconcileRole } from '../../../src/cli/ctl/rbac/reconcile-role.ts';
import { breakDown, compactRules } from '../../../src/cli/ctl/rbac/rules.ts';
import { runLine, type Answers, type LineResult } from '../../support/run-line.ts';

const GROUP = 'rbac.authorization.k8s.io';
const ROLES = `/apis/${GROUP}/v1/namespaces/default/roles`;
const BINDINGS = `/apis/${GROUP}/v1/namespaces/default/rolebindings`;

const resource = (kind: string): object => ({
  resource: `${kind.toLowerCase()}s`,
  responseKind: { kind },
  scope: 'Namespaced',
  singularResource: kind.toLowerCase(),
  verbs: ['create', 'delete', 'get', 'update'],
});
const review = (kind: string): object => ({ ...resource(kind), scope: 'Cluster' });
const DISCOVERY: Answers = {
  '/apis': {
    items: [
      [GROUP, [resource('Role'), resource('RoleBinding')]],
      ['authorization.k8s.io', [review('SelfSubjectAccessReview'), review('SelfSubjectRulesReview')]],
      ['authentication.k8s.io', [review('SelfSubjectReview')]],
    ].map(([name, resources]) => ({ metadata: { name }, versions: [{ version: 'v1', resources }] })),
  },
};
const run = (line: string, answers: Answers = {}, stdin = ''): Promise<LineResult> =>
  runLine(line.split(' '), { answers: { ...DISCOVERY, ...answers }, stdin });

const role = (rules: object[], metadata: object = {}): ApiObject =>
  ({ apiVersion: `${GROUP}/v1`, kind: 'Role', metadata: { name: 'a', ...metadata }, rules }) as ApiObject;
const READ = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };
const GET = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const LIST = { apiGroups: [''], resources: ['pods'], verbs: ['list'] };
const WATCH = { apiGroups: [''], resources: ['pods'], verbs: ['watch'] };

describe('rules of access', () => {
  it('are broken down and put together again by what they are about', () => {
    const parts = breakDown({ ...READ, resourceNames: ['a'] });
    assert.deepEqual(parts, [
      { ...GET, resourceNames: ['a'] },
      { ...LIST, resourceNames: ['a'] },
    ]);
    const paths = [{ nonResourceURLs: ['/a'], verbs: ['get'] }];
    const whole = [...paths, READ, { ...READ, resourceNames: ['a'] }];
    assert.deepEqual(compactRules(whole.flatMap(breakDown)), [
      READ,
      { ...READ, resourceNames: ['a'] },
      ...paths,
    ]);
  });
});

describe('a role that is reconciled', () => {
  it('keeps what it allows besides, and gets what it lacks', () => {
    const { object, operation, missing, extra } = reconcileRole(
      role([WATCH], { labels: { a: 'own' } }),
      role([READ, WATCH], { labels: { a: 'other', b: 'new' } }),
      false,
    );
    assert.equal(operation, 'update');
    assert.deepEqual(object, role([WATCH, GET, LIST], { labels: { a: 'own', b: 'new' } }));
    assert.deepEqual(
      [missing.length, missing[0], extra],
      [2, '{Verbs:[get] APIGroups:[] Resources:[pods] ResourceNames:[] NonResourceURLs:[]}', []],
    );
  });

  it('loses what nobody said, where that is asked for', () => {
    const { object, extra } = reconcileRole(role([WATCH, READ]), role([READ]), true);
    assert.deepEqual([object['rules'], extra.length], [[READ], 1]);
  });

  it('stays as it is where it allows as much in other words', () => {
    const all = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
    assert.equal(reconcileRole(role([all]), role([READ]), false).operation, 'none');
    assert.equal(reconcileRole(role([GET, LIST]), role([READ]), true).operation, 'none');
  });

  const selector = (app: string): object => ({ matchLabels: { app } });
  const made = (...apps: string[]): ApiObject => ({
    ...role([]),
    aggregationRule: { clusterRoleSelectors: apps.map(selector) } as ApiObject[string],
  });
  const selectors = (object: ApiObject): unknown => object['aggregationRule'];

  it('is made up of more, of what is said alone, or no longer of others', () => {
    assert.deepEqual(selectors(reconcileRole(made('a'), made('b'), false).object), {
      clusterRoleSelectors: [selector('a'), selector('b')],
    });
    assert.deepEqual(selectors(reconcileRole(made('a'), made('b'), true).object), {
      clusterRoleSelectors: [selector('b')],
    });
    assert.equal(selectors(reconcileRole(made('a'), role([]), false).object), undefined);
  });
});

describe('a binding that is reconciled', () => {
  const binding = (name: string, ...users: string[]): ApiObject => ({
    apiVersion: `${GROUP}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'a' },
    roleRef: { apiGroup: GROUP, kind: 'Role', name },
    subjects: users.map((user) => ({ apiGroup: GROUP, kind: 'User', name: user })),
  });

  it('gets the subjects that it lacks, each once', () => {
    const { object, missing } = reconcileBinding(binding('r', 'a'), binding('r', 'b', 'b'), false);
    assert.deepEqual(object, binding('r', 'a', 'b'));
    assert.deepEqual(missing, [`{Kind:User APIGroup:${GROUP} Name:b Namespace:}`]);
  });

  it('loses others where that is asked for, and is made anew for another role', () => {
    assert.deepEqual(reconcileBinding(binding('r', 'a'), binding('r', 'b'), true).object, binding('r', 'b'));
    assert.equal(reconcileBinding(binding('r', 'a'), binding('s', 'a'), false).operation, 'recreate');
  });
});

describe('orchctl auth reconcile', () => {
  const manifest = (object: ApiObject): string => JSON.stringify(object);
  const RECONCILE = 'auth reconcile -f -';
  const sent = ({ requests }: LineResult): string[] =>
    requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

  it('creates what is not there, and the namespace with it', async () => {
    const result = await run(
      RECONCILE,
      {
        [`POST ${ROLES}?fieldManager=orchctl-auth`]: role([READ]),
        'POST /api/v1/namespaces': {},
      },
      manifest(role([READ])),
    );
    assert.equal(result.stdout, `role.${GROUP}/a reconciled\n`);
    assert.match(result.stderr, /^\treconciliation required create\n\tmissing rules added:\n\t\t\{Verbs:/);
    assert.deepEqual(sent(result), ['POST /api/v1/namespaces', `POST ${ROLES}?fieldManager=orchctl-auth`]);
  });

  it('only reads in a dry run', async () => {
    const answers = { [`${ROLES}/a`]: role([GET]) };
    const result = await run(`${RECONCILE} --dry-run=client`, answers, manifest(role([READ])));
    assert.deepEqual(sent(result), []);
    assert.equal(result.stdout, `role.${GROUP}/a reconciled (dry run)\n`);
  });

  it('leaves alone what opted out, and says so', async () => {
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    const answers = { [`${ROLES}/a`]: role([GET], { annotations }) };
    const result = await run(RECONCILE, answers, manifest(role([READ])));
    assert.deepEqual(sent(result), []);
    assert.match(result.stderr, /required update, but object opted out \(\S+autoupdate: false\)/);
  });

  it('makes a binding anew for another role, only while it is the one that was read', async () => {
    const binding = (name: string): ApiObject => ({
      apiVersion: `${GROUP}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'a', uid: 'u' },
      roleRef: { kind: 'Role', name },
    });
    const result = await run(
      RECONCILE,
      {
        [`${BINDINGS}/a`]: binding('r'),
        [`DELETE ${BINDINGS}/a`]: {},
        '/api/v1/namespaces/default': {},
        [`POST ${BINDINGS}?fieldManager=orchctl-auth`]: binding('s'),
      },
      manifest(binding('s')),
    );
    assert.match(result.stderr, /reconciliation required recreate/);
    const deleted = result.requests.find(({ method }) => method === 'DELETE');
    assert.deepEqual((JSON.parse(String(deleted?.body)) as { preconditions: object }).preconditions, {
      uid: 'u',
    });
  });

  it('leaves other kinds out, and refuses other versions and what the server can not do', async () => {
    const other = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } } as ApiObject;
    assert.deepEqual((await run(RECONCILE, {}, manifest(other))).stdout, '');
    const old = { ...role([READ]), apiVersion: `${GROUP}/v1beta1` };
    assert.match((await run(RECONCILE, {}, manifest(old))).stderr, /only \S+\/v1 is supported/);
    const server = await run(`${RECONCILE} --dry-run=server`);
    assert.match(server.stderr, /--dry-run=server for command reconcile is not supported yet/);
  });

  it('gives up on what keeps changing', async () => {
    const conflict = { status: 409, json: { kind: 'Status', reason: 'Conflict', code: 409, message: 'no' } };
    const answers = {
      [`${ROLES}/a`]: role([GET]),
      [`PUT ${ROLES}/a?fieldManager=orchctl-auth`]: conflict,
    };
    const result = await run(RECONCILE, answers, manifest(role([READ])));
    assert.deepEqual([sent(result).length, result.code], [4, 1]);
  });
});

describe('orchctl auth whoami and can-i', () => {
  const WHO = 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews';
  const MAY = 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const ALL = 'POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews';

  it('shows as whom the server sees one', async () => {
    const userInfo = { username: 'jane', uid: 'u', groups: ['a', 'b'], extra: { z: ['1'], k: ['v', 'w'] } };
    const { stdout } = await run('auth whoami', { [WHO]: { status: { userInfo } } });
    assert.equal(
      stdout,
      'ATTRIBUTE   VALUE\nUsername    jane\nUID         u\nGroups      [a b]\nExtra: k    [v w]\nExtra: z    [1]\n',
    );
  });

  it('shows all that one may do, and when that is not known whole', async () => {
    const status = { resourceRules: [READ], nonResourceRules: [], incomplete: true, evaluationError: 'why' };
    const { stdout, stderr } = await run('auth can-i --list', { [ALL]: { status } });
    assert.equal(stderr, 'Warning: the list may be incomplete: why\n');
    assert.equal(
      stdout,
      'Resources   Non-Resource URLs   Resource Names   Verbs\npods        []                  []               [get list]\n',
    );
  });

  it('answers unusual questions, with a warning', async () => {
    const no = { [MAY]: { status: { allowed: false, reason: 'because' } } };
    const verb = await run('auth can-i lst pods', no);
    assert.deepEqual(
      [verb.stdout, verb.stderr, verb.code],
      ['no - because\n', "Warning: verb 'lst' is not a known verb\n\n", 1],
    );
    const type = await run('auth can-i list things.example.com', no);
    assert.match(type.stderr, /doesn't have a resource type 'things' in group 'example\.com'/);
    const scope = await run('auth can-i list namespaces', no);
    assert.match(scope.stderr, /resource 'namespaces' is not namespace scoped/);
    assert.equal((await run('auth can-i impersonate users', no)).stderr, '');
  });

  const refused: readonly [string, RegExp][] = [
    ['--list pods', /with no arguments/],
    ['--list -A', /neither quiet, all-namespaces nor subresource/],
    ['list pods --no-headers', /without --list/],
    ['get /metrics --subresource=log', /--subresource can not be used/],
  ];
  for (const [line, message] of refused) {
    it(`refuses: auth can-i ${line}`, async () => {
      const { stderr, code } = await run(`auth can-i ${line}`);
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});
