import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAccessPlane, type AccessPlane } from '../../support/access.ts';

const API = 'abac.authorization.orch.io/v1beta1';

describe('--authorization-mode=ABAC', function () {
  this.timeout(60_000);
  let server: AccessPlane;

  before(async () => {
    server = await startAccessPlane({ jane: ['dev'], joe: [] }, (folder) => {
      const file = join(folder, 'policies.jsonl');
      const specs = [
        { user: 'jane', namespace: 'default', resource: 'configmaps', readonly: true },
        { group: 'dev', nonResourcePath: '/version*', readonly: true },
        {
          group: '*',
          namespace: '*',
          resource: 'selfsubjectrulesreviews',
          apiGroup: 'authorization.orch.io',
        },
      ];
      writeFileSync(
        file,
        specs.map((spec) => `${JSON.stringify({ apiVersion: API, kind: 'Policy', spec })}\n`).join(''),
      );
      return ['--authorization-mode=ABAC', `--authorization-policy-file=${file}`];
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const configMaps = '/api/v1/namespaces/default/configmaps';
  for (const [user, method, path, status] of [
    ['jane', 'GET', configMaps, 200],
    ['jane', 'POST', configMaps, 403],
    ['jane', 'GET', '/api/v1/namespaces/other/configmaps', 403],
    ['jane', 'GET', '/api/v1/configmaps', 403],
    ['jane', 'GET', '/version', 200],
    ['joe', 'GET', '/version', 403],
    ['joe', 'GET', configMaps, 403],
  ] as const) {
    it(`answers ${user}'s ${method} ${path} with ${status}`, async () => {
      const answer = await server.ask(user, { method, path });
      assert.equal(answer.status, status, JSON.stringify(answer.body));
    });
  }

  it('tells the rules of its policies', async () => {
    const answer = await server.ask('jane', {
      method: 'POST',
      path: '/apis/authorization.orch.io/v1/selfsubjectrulesreviews',
      body: {
        apiVersion: 'authorization.orch.io/v1',
        kind: 'SelfSubjectRulesReview',
        spec: { namespace: 'default' },
      },
    });
    const { status } = answer.body as { status: { resourceRules: object[]; incomplete: boolean } };
    assert.equal(status.incomplete, false);
    assert.deepEqual(
      status.resourceRules.filter((rule) => JSON.stringify(rule).includes('configmaps')),
      [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'] }],
    );
  });

  for (const [name, flags, problem] of [
    [
      'without a file',
      ['--authorization-mode=ABAC'],
      /--authorization-mode=ABAC needs --authorization-policy-file/,
    ],
    [
      'a file without the mode',
      ['--authorization-mode=RBAC', '--authorization-policy-file=x'],
      /--authorization-policy-file needs --authorization-mode=ABAC/,
    ],
    [
      'a file that is not there',
      ['--authorization-mode=ABAC', '--authorization-policy-file=/nowhere/policies'],
      /--authorization-policy-file: \/nowhere\/policies/,
    ],
  ] as const) {
    it(`does not start ${name}`, async () => {
      await assert.rejects(
        startAccessPlane({}, () => flags),
        problem,
      );
    });
  }
});
