import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { checkAuthorizers } from '../../../../src/authz/configuration/check.ts';
import { readAuthorizationConfiguration } from '../../../../src/authz/configuration/configuration.ts';
import { loadNames } from '../../../../src/names/load.ts';
import { loadExpressions } from '../../../../src/schema/expressions/compile.ts';

const names = loadNames({ profile: 'orch' });
const VERSION = 'apiserver.config.orch.io/v1';

const webhook = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'NoOpinion',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/etc/webhook' },
};

async function check(authorizers: readonly object[], fileProblem = '') {
  const text = stringify({ apiVersion: VERSION, kind: 'AuthorizationConfiguration', authorizers });
  const compiler = await loadExpressions();
  const parts = { compiler, fileProblem: () => Promise.resolve(fileProblem) };
  return checkAuthorizers(readAuthorizationConfiguration(text, names), parts);
}

describe('a file of authorizers', () => {
  it('gives authorizers in their order, with what they leave out', async () => {
    const { checked, errors } = await check([
      { type: 'Webhook', name: 'first', webhook },
      { type: 'Node', name: 'node' },
      { type: 'RBAC', name: 'rbac' },
      {
        type: 'Webhook',
        name: 'last',
        webhook: {
          ...webhook,
          ...{ timeout: '30s', authorizedTTL: '1m', unauthorizedTTL: '1s', failurePolicy: 'Deny' },
          matchConditionSubjectAccessReviewVersion: 'v1',
          matchConditions: [{ expression: "request.user == 'jane'" }],
        },
      },
    ]);
    assert.deepEqual(errors, []);
    assert.deepEqual(
      checked.map(({ type, name }) => `${type} ${name}`),
      ['Webhook first', 'Node node', 'RBAC rbac', 'Webhook last'],
    );
    const { conditions, ...first } = checked[0]?.webhook ?? assert.fail();
    assert.deepEqual(first, {
      ...{ kubeconfig: '/etc/webhook', version: 'v1', failurePolicy: 'NoOpinion' },
      ...{ timeoutMs: 3000, authorizedTtlMs: 300_000, unauthorizedTtlMs: 30_000 },
    });
    assert.equal(conditions.length, 0);
    assert.equal(checked[3]?.webhook?.conditions.length, 1);
  });

  const changed = (over: object) => [{ type: 'Webhook', name: 'w', webhook: { ...webhook, ...over } }];
  const W = 'authorizers[0].webhook';
  for (const [name, authorizers, expected] of [
    ['no authorizers', [], ['authorizers FieldValueRequired']],
    ['no type', [{ name: 'x' }], ['authorizers[0].type FieldValueRequired']],
    [
      'a type of the flags only',
      [{ type: 'ABAC', name: 'abac' }],
      ['authorizers[0].type FieldValueNotSupported'],
    ],
    ['no name', [{ type: 'RBAC' }], ['authorizers[0].name FieldValueRequired']],
    ['another name', [{ type: 'RBAC', name: 'roles' }], ['authorizers[0].name FieldValueInvalid']],
    [
      'a type twice',
      [
        { type: 'RBAC', name: 'rbac' },
        { type: 'RBAC', name: 'rbac' },
      ],
      ['authorizers[1].type FieldValueDuplicate'],
    ],
    ['a name twice', [...changed({}), ...changed({})], ['authorizers[1].name FieldValueDuplicate']],
    [
      'a name that is none',
      [{ type: 'Webhook', name: 'W_', webhook }],
      ['authorizers[0].name FieldValueInvalid'],
    ],
    ['no webhook', [{ type: 'Webhook', name: 'w' }], [`${W} FieldValueRequired`]],
    ['a webhook of another type', [{ type: 'RBAC', name: 'rbac', webhook }], [`${W} FieldValueForbidden`]],
    ['no timeout', changed({ timeout: undefined }), [`${W}.timeout FieldValueRequired`]],
    ['a long timeout', changed({ timeout: '31s' }), [`${W}.timeout FieldValueInvalid`]],
    ['a negative timeout', changed({ timeout: '-1s' }), [`${W}.timeout FieldValueInvalid`]],
    [
      'negative times',
      changed({ authorizedTTL: '-1s', unauthorizedTTL: '-1s' }),
      [`${W}.authorizedTTL FieldValueInvalid`, `${W}.unauthorizedTTL FieldValueInvalid`],
    ],
    [
      'no version',
      changed({ subjectAccessReviewVersion: '' }),
      [`${W}.subjectAccessReviewVersion FieldValueRequired`],
    ],
    [
      'an unknown version',
      changed({ subjectAccessReviewVersion: 'v2' }),
      [`${W}.subjectAccessReviewVersion FieldValueNotSupported`],
    ],
    [
      'conditions of an unknown version',
      changed({ matchConditionSubjectAccessReviewVersion: 'v1beta1' }),
      [`${W}.matchConditionSubjectAccessReviewVersion FieldValueNotSupported`],
    ],
    [
      'conditions without a version',
      changed({ matchConditions: [{ expression: 'true' }] }),
      [`${W}.matchConditionSubjectAccessReviewVersion FieldValueRequired`],
    ],
    [
      'a condition that is no expression',
      changed({ matchConditionSubjectAccessReviewVersion: 'v1', matchConditions: [{ expression: '&&' }] }),
      [`${W}.matchConditions[0].expression FieldValueInvalid`],
    ],
    ['no policy', changed({ failurePolicy: '' }), [`${W}.failurePolicy FieldValueRequired`]],
    ['an unknown policy', changed({ failurePolicy: 'Allow' }), [`${W}.failurePolicy FieldValueNotSupported`]],
    ['no connection', changed({ connectionInfo: {} }), [`${W}.connectionInfo.type FieldValueRequired`]],
    [
      'the connection of a pod',
      changed({ connectionInfo: { type: 'InClusterConfig' } }),
      [`${W}.connectionInfo.type FieldValueInvalid`],
    ],
    [
      'no file',
      changed({ connectionInfo: { type: 'KubeConfigFile' } }),
      [`${W}.connectionInfo.kubeConfigFile FieldValueRequired`],
    ],
    [
      'a file by a relative path',
      changed({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'x' } }),
      [`${W}.connectionInfo.kubeConfigFile FieldValueInvalid`],
    ],
  ] as const) {
    it(`is refused with ${name}`, async () => {
      const { errors } = await check(authorizers);
      assert.deepEqual(
        errors.map(({ field, reason }) => `${field} ${reason}`),
        expected,
      );
    });
  }

  it('is refused where the file of a webhook is not there', async () => {
    const { errors } = await check(changed({}), "can't be read");
    assert.deepEqual(
      errors.map(({ field }) => field),
      [`${W}.connectionInfo.kubeConfigFile`],
    );
  });

  for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
    it(`may be of version ${version}`, () => {
      const text = `apiVersion: apiserver.config.orch.io/${version}\nkind: AuthorizationConfiguration\nauthorizers: []\n`;
      assert.deepEqual(readAuthorizationConfiguration(text, names), { authorizers: [] });
    });
  }

  it('names fields that it does not know', () => {
    const text = `apiVersion: ${VERSION}\nkind: AuthorizationConfiguration\nauthorizers: [{ type: RBAC, nme: x }]\n`;
    assert.throws(() => readAuthorizationConfiguration(text, names), /unknown field "authorizers\[0\]\.nme"/);
  });
});
