import assert from 'node:assert/strict';
import { Victim, type Sent } from './victim.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ROLES = `${RBAC}/namespaces/team/roles`;
const BINDINGS = `${RBAC}/namespaces/team/rolebindings`;
const CLUSTER_ROLES = `${RBAC}/clusterroles`;
const CLUSTER_BINDINGS = `${RBAC}/clusterrolebindings`;
const GROUP = 'rbac.authorization.k8s.io';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

const NODES = { apiGroups: [''], resources: ['nodes'], verbs: ['get'] };
const PODS = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const EVERYTHING = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
const PATHS = { nonResourceURLs: ['/metrics'], verbs: ['get'] };
const toSelf = (user: string) => [{ kind: 'User', apiGroup: GROUP, name: user }];
const role = (name: string, rules: unknown[], kind = 'Role') => ({
  apiVersion: `${GROUP}/v1`,
  kind,
  metadata: { name },
  rules,
});
const binding = (kind: string, roleKind: string, roleName: string, user: string) => ({
  apiVersion: `${GROUP}/v1`,
  kind,
  metadata: { name: 'evil' },
  roleRef: { apiGroup: GROUP, kind: roleKind, name: roleName },
  subjects: toSelf(user),
});

/** `watched` is what must be as before; the collection or object that the attack writes. */
interface Attack extends Sent {
  readonly title: string;
  readonly watched: string;
  /** 403 where it isn't said. */
  readonly status?: number;
}

/**
 * `lead` is admin of the namespace `team`; `clerk` may write every object of RBAC and holds the right to read pods
 * besides; `tenant` may only read pods in `team`.
 */
const ATTACKS: readonly Attack[] = [
  ...(
    [
      ['what nobody gave them', [NODES]],
      ['everything', [EVERYTHING]],
      ['the right to escalate', [{ apiGroups: [GROUP], resources: ['roles'], verbs: ['escalate'] }]],
      ['the right to impersonate', [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }]],
      ['what they hold, and a little more', [PODS, NODES]],
    ] as const
  ).map(([what, rules]): Attack => ({
    title: `lead creates a role with ${what}`,
    ...{ as: 'lead', method: 'POST', path: ROLES, body: role('evil', [...rules]), watched: ROLES },
  })),
  {
    title: 'lead tries what a dry run would let through',
    ...{
      as: 'lead',
      method: 'POST',
      path: `${ROLES}?dryRun=All`,
      body: role('evil', [NODES]),
      watched: ROLES,
    },
  },
  {
    title: 'lead creates a role whose name is generated',
    ...{ as: 'lead', method: 'POST', path: ROLES, watched: ROLES },
    body: { metadata: { generateName: 'evil-' }, rules: [NODES] },
  },
  {
    title: 'lead creates it as YAML',
    ...{ as: 'lead', method: 'POST', path: ROLES, contentType: 'application/yaml', watched: ROLES },
    body: 'metadata: {name: evil}\nrules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]\n',
  },
  {
    title: 'lead applies a role that is not there',
    ...{
      as: 'lead',
      method: 'PATCH',
      path: `${ROLES}/evil?fieldManager=x`,
      contentType: APPLY,
      watched: ROLES,
    },
    body: role('evil', [NODES]),
  },
  {
    title: 'lead applies more rules to a role',
    ...{ as: 'lead', method: 'PATCH', path: `${ROLES}/mild?fieldManager=x&force=true`, contentType: APPLY },
    ...{ body: role('mild', [NODES]), watched: `${ROLES}/mild` },
  },
  {
    title: 'lead replaces the rules of a role',
    ...{
      as: 'lead',
      method: 'PUT',
      path: `${ROLES}/mild`,
      body: role('mild', [NODES]),
      watched: `${ROLES}/mild`,
    },
  },
  ...(
    [
      ['a merge patch', MERGE, { rules: [NODES] }],
      ['a strategic merge patch', STRATEGIC, { rules: [NODES] }],
      ['a JSON patch', JSON_PATCH, [{ op: 'add', path: '/rules/-', value: NODES }]],
      [
        'a JSON patch of one verb',
        JSON_PATCH,
        [{ op: 'replace', path: '/rules/0/resources/0', value: 'nodes' }],
      ],
    ] as const
  ).map(([what, contentType, body]): Attack => ({
    title: `lead adds rules by ${what}`,
    ...{ as: 'lead', method: 'PATCH', path: `${ROLES}/mild`, contentType, body, watched: `${ROLES}/mild` },
  })),
  ...['cluster-admin', 'admin-of-nodes', 'no-such-role'].map((name): Attack => ({
    title: `lead binds itself to ${name}`,
    ...{ as: 'lead', method: 'POST', path: BINDINGS, watched: BINDINGS },
    ...{
      body: binding('RoleBinding', 'ClusterRole', name, 'lead'),
      status: name === 'no-such-role' ? 404 : 403,
    },
  })),
  {
    title: 'lead gives the role to a group that it is in',
    ...{ as: 'lead', method: 'POST', path: BINDINGS, watched: BINDINGS },
    body: {
      ...binding('RoleBinding', 'ClusterRole', 'cluster-admin', 'lead'),
      subjects: [{ kind: 'Group', apiGroup: GROUP, name: 'system:authenticated' }],
    },
  },
  {
    title: 'lead applies a binding',
    ...{ as: 'lead', method: 'PATCH', path: `${BINDINGS}/evil?fieldManager=x`, contentType: APPLY },
    ...{ body: binding('RoleBinding', 'ClusterRole', 'cluster-admin', 'lead'), watched: BINDINGS },
  },
  {
    title: 'lead adds itself to a binding of a stronger role',
    ...{ as: 'lead', method: 'PATCH', path: `${BINDINGS}/strong`, contentType: MERGE },
    ...{ body: { subjects: toSelf('lead') }, watched: `${BINDINGS}/strong` },
  },
  {
    title: 'lead makes a binding refer to another role',
    ...{
      as: 'lead',
      method: 'PATCH',
      path: `${BINDINGS}/weak`,
      contentType: MERGE,
      watched: `${BINDINGS}/weak`,
    },
    ...{ body: { roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'cluster-admin' } }, status: 403 },
  },
  {
    title: 'admin makes a binding refer to another role, which nobody may',
    ...{
      as: 'admin',
      method: 'PATCH',
      path: `${BINDINGS}/weak`,
      contentType: MERGE,
      watched: `${BINDINGS}/weak`,
    },
    ...{ body: { roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'edit' } }, status: 422 },
  },
  {
    title: 'clerk binds the cluster’s strongest role',
    ...{ as: 'clerk', method: 'POST', path: CLUSTER_BINDINGS, watched: CLUSTER_BINDINGS },
    body: binding('ClusterRoleBinding', 'ClusterRole', 'cluster-admin', 'clerk'),
  },
  {
    title: 'clerk adds itself to the binding of the strongest role',
    ...{ as: 'clerk', method: 'PATCH', path: `${CLUSTER_BINDINGS}/cluster-admin`, contentType: JSON_PATCH },
    ...{ body: [{ op: 'add', path: '/subjects/-', value: toSelf('clerk')[0] }] },
    watched: `${CLUSTER_BINDINGS}/cluster-admin`,
  },
  {
    title: 'clerk binds for the whole cluster what a role of a namespace says',
    ...{ as: 'clerk', method: 'POST', path: CLUSTER_BINDINGS, watched: CLUSTER_BINDINGS, status: 400 },
    body: binding('ClusterRoleBinding', 'Role', 'mild', 'clerk'),
  },
  {
    title: 'clerk writes paths into a role',
    ...{ as: 'clerk', method: 'POST', path: CLUSTER_ROLES, watched: CLUSTER_ROLES },
    body: role('evil', [PATHS], 'ClusterRole'),
  },
  {
    title: 'clerk has rules flow into a default role',
    ...{ as: 'clerk', method: 'POST', path: CLUSTER_ROLES, watched: CLUSTER_ROLES },
    body: {
      ...role('evil', [NODES], 'ClusterRole'),
      metadata: { name: 'evil', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    },
  },
  {
    title: 'clerk has all roles flow into one of its own',
    ...{ as: 'clerk', method: 'POST', path: CLUSTER_ROLES, watched: CLUSTER_ROLES },
    body: { ...role('evil', [], 'ClusterRole'), aggregationRule: { clusterRoleSelectors: [{}] } },
  },
  {
    title: 'clerk turns a role of its own into one that all flow into',
    ...{ as: 'clerk', method: 'PATCH', path: `${CLUSTER_ROLES}/own`, contentType: MERGE },
    ...{ body: { aggregationRule: { clusterRoleSelectors: [{}] } }, watched: `${CLUSTER_ROLES}/own` },
  },
  {
    title: 'clerk labels a stronger role, so that it flows into its own',
    ...{ as: 'clerk', method: 'PATCH', path: `${CLUSTER_ROLES}/admin-of-nodes`, contentType: MERGE },
    ...{ body: { metadata: { labels: { own: 'true' } } }, watched: `${CLUSTER_ROLES}/admin-of-nodes` },
  },
  {
    title: 'clerk updates what is only labels of a stronger role',
    ...{ as: 'clerk', method: 'PUT', path: `${CLUSTER_ROLES}/admin-of-nodes` },
    watched: `${CLUSTER_ROLES}/admin-of-nodes`,
    body: {
      ...role('admin-of-nodes', [EVERYTHING], 'ClusterRole'),
      metadata: { name: 'admin-of-nodes', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    },
  },
  {
    title: 'clerk narrows what flows into a default role',
    ...{ as: 'clerk', method: 'PATCH', path: `${CLUSTER_ROLES}/view`, contentType: JSON_PATCH },
    ...{ body: [{ op: 'remove', path: '/aggregationRule' }], watched: `${CLUSTER_ROLES}/view` },
  },
  {
    title: 'clerk writes a role with more rules than can be compared',
    ...{ as: 'clerk', method: 'POST', path: CLUSTER_ROLES, watched: CLUSTER_ROLES },
    body: role(
      'evil',
      Array.from({ length: 10_000 }, (_, i) => ({ ...NODES, verbs: [`v${i}`] })),
      'ClusterRole',
    ),
  },
  ...(['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method): Attack => ({
    title: `tenant sends ${method} for a role`,
    ...{ as: 'tenant', method, watched: ROLES, contentType: method === 'PATCH' ? MERGE : 'application/json' },
    ...{ path: method === 'POST' ? ROLES : `${ROLES}/mild`, body: role('mild', [PODS]) },
  })),
  {
    title: 'tenant deletes all bindings',
    ...{ as: 'tenant', method: 'DELETE', path: BINDINGS, watched: BINDINGS },
  },
  {
    title: 'tenant applies what would only be a change of labels',
    ...{
      as: 'tenant',
      method: 'PATCH',
      path: `${ROLES}/mild?fieldManager=x`,
      contentType: APPLY,
      watched: ROLES,
    },
    body: { apiVersion: `${GROUP}/v1`, kind: 'Role', metadata: { name: 'mild', labels: { a: 'b' } } },
  },
  {
    title: 'tenant asks about others',
    ...{
      as: 'tenant',
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      watched: ROLES,
    },
    body: { spec: { user: 'lead', resourceAttributes: { verb: 'get', resource: 'pods' } } },
  },
  {
    title: 'tenant asks whose a token is',
    ...{ as: 'tenant', method: 'POST', path: '/apis/authentication.k8s.io/v1/tokenreviews', watched: ROLES },
    body: { spec: { token: 'lead' } },
  },
  {
    title: 'tenant asks for a token of a service account',
    ...{ as: 'tenant', method: 'POST', watched: '/api/v1/namespaces/team/serviceaccounts/strong' },
    ...{ path: '/api/v1/namespaces/team/serviceaccounts/strong/token', body: { spec: {} } },
  },
];

describe('attacks: rights that nobody gave', function () {
  this.timeout(30_000);
  let victim: Victim;

  before(async () => {
    victim = await Victim.start([{ name: 'lead' }, { name: 'clerk' }, { name: 'tenant' }]);
    await victim.prepare('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
    await victim.prepare('POST', '/api/v1/namespaces/team/serviceaccounts', { metadata: { name: 'strong' } });
    await victim.prepare('POST', ROLES, role('mild', [PODS]));
    const everyRole = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'];
    const writing = {
      apiGroups: [GROUP],
      resources: everyRole,
      verbs: ['create', 'update', 'patch', 'get', 'list'],
    };
    await victim.prepare('POST', CLUSTER_ROLES, role('clerk', [writing, PODS], 'ClusterRole'));
    await victim.prepare('POST', CLUSTER_ROLES, role('own', [PODS], 'ClusterRole'));
    await victim.prepare('POST', CLUSTER_ROLES, role('admin-of-nodes', [EVERYTHING], 'ClusterRole'));
    const named = (object: object, name: string) => ({ ...object, metadata: { name } });
    const bind = async (name: string, roleKind: string, roleName: string, user: string) =>
      victim.prepare('POST', BINDINGS, named(binding('RoleBinding', roleKind, roleName, user), name));
    await bind('lead', 'ClusterRole', 'admin', 'lead');
    await bind('tenant', 'Role', 'mild', 'tenant');
    await bind('strong', 'ClusterRole', 'admin-of-nodes', 'somebody');
    await bind('weak', 'Role', 'mild', 'somebody');
    const clerk = binding('ClusterRoleBinding', 'ClusterRole', 'clerk', 'clerk');
    await victim.prepare('POST', CLUSTER_BINDINGS, named(clerk, 'clerk'));
  });
  after(() => victim.stop());

  for (const [user, sent] of [
    ['lead', { method: 'POST', path: ROLES, body: role('good', [PODS]) }],
    ['clerk', { method: 'POST', path: CLUSTER_ROLES, body: role('good', [PODS], 'ClusterRole') }],
    ['tenant', { method: 'GET', path: '/api/v1/namespaces/team/pods/none' }],
  ] as const) {
    it(`${user} may do what somebody gave`, async () => {
      const { status, text } = await victim.send({ as: user, ...sent });
      assert.ok(status < 300 || status === 404, text);
    });
  }

  for (const { title, watched, status = 403, ...sent } of ATTACKS) {
    it(`${title}: ${status}`, async () => {
      const before = await victim.stored(watched);
      const answer = await victim.send(sent);
      assert.equal(answer.status, status, answer.text);
      assert.equal(await victim.stored(watched), before);
    });
  }
});
