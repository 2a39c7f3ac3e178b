import assert from 'node:assert/strict';
import { attributePolicies } from '../../../../src/authz/abac/authorizer.ts';
import { readPolicyFile } from '../../../../src/authz/abac/policy-file.ts';
import type { UserInfo } from '../../../../src/request/context.ts';
import { reviewedRequest } from '../../../../src/registry/reviews/access-spec.ts';

const GROUP = 'abac.example.com';

const line = (spec: object): string =>
  JSON.stringify({ apiVersion: `${GROUP}/v1beta1`, kind: 'Policy', spec });

const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
const jane = user('jane', 'dev', 'system:authenticated');
const nobody = user('system:anonymous', 'system:unauthenticated');

const ask = (verb: string, resource: string, namespace = '', group = '') =>
  reviewedRequest({ resourceAttributes: { verb, resource, namespace, group } });
const askPath = (verb: string, path: string) => reviewedRequest({ nonResourceAttributes: { verb, path } });

describe('policies of attributes', () => {
  const everything = { apiGroup: '*', namespace: '*', resource: '*' };
  for (const [name, lines, who, info, allowed] of [
    ['a user by name', [line({ user: 'jane', ...everything })], jane, ask('get', 'pods', 'n'), true],
    ['another user', [line({ user: 'joe', ...everything })], jane, ask('get', 'pods', 'n'), false],
    ['a group', [line({ group: 'dev', ...everything })], jane, ask('get', 'pods', 'n'), true],
    [
      'a user who is not in the group, too',
      [line({ user: 'jane', group: 'ops', ...everything })],
      jane,
      ask('get', 'pods'),
      false,
    ],
    ['nobody in particular', [line(everything)], jane, ask('get', 'pods'), false],
    ['everybody', [line({ user: '*', ...everything })], jane, ask('get', 'pods'), true],
    ['all groups', [line({ group: '*', ...everything })], jane, ask('get', 'pods'), true],
    [
      'everybody, but not who is unknown',
      [line({ user: '*', ...everything })],
      nobody,
      ask('get', 'pods'),
      false,
    ],
    [
      'the namespace',
      [line({ user: 'jane', namespace: 'n', resource: 'pods' })],
      jane,
      ask('delete', 'pods', 'n'),
      true,
    ],
    [
      'another namespace',
      [line({ user: 'jane', namespace: 'n', resource: 'pods' })],
      jane,
      ask('get', 'pods', 'm'),
      false,
    ],
    [
      'another group of resources',
      [line({ user: 'jane', namespace: '*', resource: '*' })],
      jane,
      ask('get', 'deployments', 'n', 'apps'),
      false,
    ],
    [
      'a readonly policy: get',
      [line({ user: 'jane', readonly: true, ...everything })],
      jane,
      ask('watch', 'pods'),
      true,
    ],
    [
      'a readonly policy: update',
      [line({ user: 'jane', readonly: true, ...everything })],
      jane,
      ask('update', 'pods'),
      false,
    ],
    ['a path', [line({ user: 'jane', nonResourcePath: '/logs' })], jane, askPath('get', '/logs'), true],
    [
      'a path below',
      [line({ user: 'jane', nonResourcePath: '/logs' })],
      jane,
      askPath('get', '/logs/x'),
      false,
    ],
    [
      'the beginning of a path',
      [line({ user: 'jane', nonResourcePath: '/logs/*' })],
      jane,
      askPath('post', '/logs/x/y'),
      true,
    ],
    ['any path', [line({ user: 'jane', nonResourcePath: '*' })], jane, askPath('get', '/'), true],
    [
      'a path, asked for a resource',
      [line({ user: 'jane', nonResourcePath: '*' })],
      jane,
      ask('get', 'pods'),
      false,
    ],
    [
      'resources, asked for a path',
      [line({ user: 'jane', ...everything })],
      jane,
      askPath('get', '/logs'),
      false,
    ],
    ['the oldest form: everything', ['{"user": "jane"}'], jane, askPath('get', '/logs'), true],
    [
      'the oldest form: a resource',
      ['{"user": "jane", "resource": "pods"}'],
      jane,
      ask('get', 'pods', 'n', 'any'),
      true,
    ],
    [
      'the oldest form: no paths',
      ['{"user": "jane", "resource": "pods"}'],
      jane,
      askPath('get', '/logs'),
      false,
    ],
    ['the oldest form: all who are known', ['{}'], jane, ask('get', 'pods'), true],
    ['the oldest form: not who is unknown', ['{}'], nobody, ask('get', 'pods'), false],
    [
      'a later line',
      ['# nothing', '', '{"user": "joe"}', '{"group": "dev"}'],
      jane,
      ask('get', 'pods'),
      true,
    ],
  ] as const) {
    it(`${allowed ? 'allow' : "don't allow"}: ${name}`, async () => {
      const { authorize } = attributePolicies(readPolicyFile(lines.join('\n'), GROUP).policies);
      const { verdict, reason } = await authorize({ user: who, info });
      assert.deepEqual([verdict, reason], allowed ? ['allow', ''] : ['noOpinion', 'No policy matched.']);
    });
  }

  it('tell their rules, of the namespace that is asked for', () => {
    const { policies, unversioned } = readPolicyFile(
      [
        line({ user: 'jane', namespace: 'n', resource: 'pods', readonly: true }),
        line({ user: 'jane', namespace: 'm', resource: 'secrets' }),
        line({ group: 'dev', namespace: '*', nonResourcePath: '/logs/*' }),
        line({ user: 'joe', namespace: '*', resource: '*' }),
      ].join('\n'),
      GROUP,
    );
    assert.equal(unversioned, 0);
    assert.deepEqual(attributePolicies(policies).rulesFor(jane, 'n'), {
      rules: [
        { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] },
        { verbs: ['*'], nonResourceURLs: ['/logs/*'] },
      ],
      incomplete: false,
      problems: [],
    });
  });
});

describe('a file of policies', () => {
  for (const [name, text, problem] of [
    ['half a line', '{"user": "jane"', /JSON/],
    ['a list', '[]', /a policy is a JSON object/],
    [
      'another version',
      `{"apiVersion": "${GROUP}/v1", "kind": "Policy"}`,
      /apiVersion must be abac.example.com\/v1beta1/,
    ],
    ['another group', '{"apiVersion": "other/v1beta1", "kind": "Policy"}', /apiVersion must be/],
    ['another kind', `{"apiVersion": "${GROUP}/v1beta1", "kind": "Rule"}`, /kind must be Policy, not "Rule"/],
    ['a version without a kind', `{"apiVersion": "${GROUP}/v1beta1"}`, /kind must be Policy/],
    ['a number for a name', '{"user": 5}', /user must be a string/],
    ['a text for a boolean', line({ user: 'jane', readonly: 'yes' }), /readonly must be true or false/],
    ['a list for a spec', line([]), /spec must be an object/],
  ] as const) {
    it(`is refused with ${name}, by its line`, () => {
      assert.throws(
        () => readPolicyFile(`# policies\n{"user": "joe"}\n${text}\n`, GROUP),
        (error: Error) => {
          assert.equal(error.message, 'line 3');
          assert.match((error.cause as Error).message, problem);
          return true;
        },
      );
    });
  }
});
