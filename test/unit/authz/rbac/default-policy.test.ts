import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPolicyObjects, type DefaultPolicy } from '../../../../src/authz/rbac/default-policy.ts';
import { reconcile } from '../../../../src/authz/rbac/reconcile.ts';
import { readBuilt } from '../../../../src/app/options/built.ts';
import type { ApiObject, JsonObject } from '../../../../src/meta/object.ts';
import { openSchemas } from '../../../support/schemas.ts';

const FACTS = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/facts/rbac-defaults.json'), 'utf8'),
) as Record<string, Record<string, JsonObject>>;

const { names } = openSchemas('kubernetes', 'all');
const AUTOUPDATE = names.get('annotation.rbac-autoupdate');
const objects = defaultPolicyObjects(readBuilt('kubernetes', 'rbac') as DefaultPolicy, names);

function ofKind(kind: string): Record<string, JsonObject> {
  return Object.fromEntries(
    objects
      .filter((object) => object.kind === kind)
      .map(({ apiVersion, kind: _, ...object }) => {
        assert.equal(apiVersion, 'rbac.authorization.k8s.io/v1');
        const { namespace, name = '' } = object.metadata;
        return [namespace === undefined ? name : `${namespace}/${name}`, object];
      }),
  );
}

describe('the default policy', () => {
  for (const [kind, facts] of [
    ['ClusterRole', 'clusterroles'],
    ['ClusterRoleBinding', 'clusterrolebindings'],
    ['Role', 'roles'],
    ['RoleBinding', 'rolebindings'],
  ] as const) {
    it(`has the reference's objects: ${kind}`, () => {
      const expected = FACTS[facts] ?? {};
      const own = ofKind(kind);
      assert.deepEqual(Object.keys(own).sort(), Object.keys(expected).sort());
      for (const [name, object] of Object.entries(own)) assert.deepEqual(object, expected[name], name);
    });
  }
});

describe('a default object that is there already', () => {
  const role = (rules: unknown, annotations = {}): ApiObject =>
    ({
      kind: 'ClusterRole',
      apiVersion: 'v1',
      metadata: { name: 'r', annotations },
      rules,
    }) as unknown as ApiObject;
  const GET = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  const LIST = { verbs: ['list'], apiGroups: [''], resources: ['pods'] };
  const wanted = role([GET, LIST], { [AUTOUPDATE]: 'true' });

  it('is kept when it has everything', () => {
    const both = { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] };
    assert.deepEqual(reconcile(role([both], { [AUTOUPDATE]: 'true', mine: 'x' }), wanted, AUTOUPDATE), {
      action: 'keep',
    });
  });

  it('gets the rules, labels and annotations that it lacks, and keeps those that users added', () => {
    const other = { verbs: ['*'], apiGroups: ['x'], resources: ['y'] };
    const result = reconcile(role([other, GET], { mine: 'x' }), wanted, AUTOUPDATE);
    assert.equal(result.action, 'update');
    assert.deepEqual(result.object['rules'], [other, GET, LIST]);
    assert.deepEqual(result.object.metadata.annotations, { mine: 'x', [AUTOUPDATE]: 'true' });
  });

  it('is left alone when it says so', () => {
    assert.deepEqual(reconcile(role([], { [AUTOUPDATE]: 'false' }), wanted, AUTOUPDATE), { action: 'keep' });
  });

  it('gets the subjects that it lacks, and is made anew when it binds another role', () => {
    const binding = (name: string, subjects: string[]): ApiObject => ({
      ...{ kind: 'ClusterRoleBinding', apiVersion: 'v1', metadata: { name: 'b' } },
      roleRef: { kind: 'ClusterRole', name },
      subjects: subjects.map((user) => ({ kind: 'User', name: user })),
    });
    const result = reconcile(binding('r', ['b', 'c']), binding('r', ['a', 'b']), AUTOUPDATE);
    assert.equal(result.action, 'update');
    assert.deepEqual(result.object, { ...binding('r', ['b', 'c', 'a']), metadata: result.object.metadata });
    assert.deepEqual(reconcile(binding('s', []), binding('r', []), AUTOUPDATE), { action: 'replace' });
  });
});
