import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSchemas } from '../../../src/schema/load.ts';
import type { Field, StructType, ValueType } from '../../../src/schema/model.ts';
import { openSchemas, PROFILES } from '../../support/schemas.ts';

const BUILT = join(import.meta.dirname, '..', '..', '..', 'dist', 'schemas', 'orch');

const { registry } = openSchemas('orch');

function typeOf(name: string): StructType {
  const type = registry.type(name);
  assert.ok(type, name);
  return type;
}

function fieldOf(name: string, field: string): Field {
  const found = typeOf(name).field.get(field);
  assert.ok(found, `${name}.${field}`);
  return found;
}

function structOf(type: ValueType): StructType {
  assert.equal(type.kind, 'struct');
  return type.struct;
}

describe('loading schemas', () => {
  describe('from a folder', () => {
    let directory: string;

    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'schemas-'));
      await mkdir(join(directory, 'orch'));
    });
    afterEach(() => rm(directory, { recursive: true }));

    it('says what to do when nothing was built', () => {
      assert.throws(() => loadSchemas({ directory, profile: 'orch' }), /build:schemas/);
    });

    it('reads the index only, and types when they are asked for', async () => {
      await copyFile(join(BUILT, 'index.json'), join(directory, 'orch', 'index.json'));
      const lazy = loadSchemas({ directory, profile: 'orch' });
      assert.equal(lazy.resource('', 'v1', 'pods')?.kind, 'Pod');
      assert.throws(() => lazy.resource('', 'v1', 'pods')?.type, /core\.v1\.json/);
    });

    it('refuses a damaged index', async () => {
      await writeFile(join(directory, 'orch', 'index.json'), '{');
      assert.throws(() => loadSchemas({ directory, profile: 'orch' }), SyntaxError);
    });
  });

  for (const profile of PROFILES) {
    it(`finds the type of every row and every kind (${profile})`, () => {
      const { registry: everything } = openSchemas(profile, 'all');
      for (const { name, versions } of everything.groups()) {
        for (const version of versions) {
          for (const row of everything.resourcesOf(name, version)) {
            assert.equal(row.type.field.get('kind')?.number, 0, `${row.resource} has a kind`);
            assert.deepEqual(
              row.type.fields.map((field) => field.name),
              [...row.type.field.keys()],
            );
            if (row.verbs.includes('list')) assert.ok(everything.decodable(name, version, row.listKind));
            for (const subresource of row.subresources.values())
              assert.ok(subresource.type, subresource.name);
          }
        }
      }
    });
  }

  describe('types', () => {
    it('have kind and apiVersion first, then the fields in encoding order', () => {
      const names = typeOf('io.k8s.api.core.v1.Service').fields.map(({ name }) => name);
      assert.deepEqual(names, ['kind', 'apiVersion', 'metadata', 'spec', 'status']);
    });

    it('are flat, and know which message an inline field sits in', () => {
      const hostPath = fieldOf('io.k8s.api.core.v1.Volume', 'hostPath');
      assert.deepEqual(hostPath.inline, { name: 'VolumeSource', number: 2 });
      assert.equal(hostPath.number, 1);
      const groups = fieldOf('io.k8s.api.admissionregistration.v1.NamedRuleWithOperations', 'apiGroups');
      assert.deepEqual(groups.inline, {
        name: 'Rule',
        number: 2,
        within: { name: 'RuleWithOperations', number: 2 },
      });
    });

    it('may be recursive', () => {
      const name = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
      const schema = typeOf(name);
      const { type } = fieldOf(name, 'properties');
      assert.equal(type.kind === 'map' && structOf(type.values), schema);
      const items = fieldOf(name, 'items').type;
      assert.equal(items.kind === 'schemaOrArray' && items.struct, schema);
    });

    it('are one object, wherever they are used', () => {
      const template = structOf(fieldOf('io.k8s.api.apps.v1.DeploymentSpec', 'template').type);
      assert.equal(template, typeOf('io.k8s.api.core.v1.PodTemplateSpec'));
    });

    it('say what merges how', () => {
      const { patchMergeKey, patchStrategy, type } = fieldOf('io.k8s.api.core.v1.PodSpec', 'containers');
      assert.deepEqual([patchStrategy, patchMergeKey], [['merge'], 'name']);
      assert.deepEqual(type.kind === 'list' && [type.listType, type.mapKeys], ['map', ['name']]);
      assert.deepEqual(fieldOf('io.k8s.api.core.v1.PodSpec', 'volumes').patchStrategy, [
        'merge',
        'retainKeys',
      ]);
      assert.equal(typeOf('io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector').atomic, true);
      const claimRef = fieldOf('io.k8s.api.core.v1.PersistentVolumeSpec', 'claimRef').type;
      assert.equal(claimRef.kind === 'struct' && claimRef.atomic, false);
    });

    it('say what is always encoded and what absence means', () => {
      const flags = ({ omitEmpty, pointer, required }: Field): object => ({ omitEmpty, pointer, required });
      const expected = { omitEmpty: true, pointer: true, required: false };
      assert.deepEqual(flags(fieldOf('io.k8s.api.apps.v1.DeploymentSpec', 'replicas')), expected);
      const rules = { omitEmpty: false, pointer: false, required: false };
      assert.deepEqual(flags(fieldOf('io.k8s.api.rbac.v1.Role', 'rules')), rules);
      const name = { omitEmpty: false, pointer: false, required: true };
      assert.deepEqual(flags(fieldOf('io.k8s.api.core.v1.Container', 'name')), name);
    });

    it('know the message around a list that is a type of its own', () => {
      const { type } = fieldOf('io.k8s.api.authorization.v1.SubjectAccessReviewSpec', 'extra');
      const values = type.kind === 'map' ? type.values : undefined;
      assert.deepEqual(values, { kind: 'list', items: { kind: 'string' }, wrapper: 'ExtraValue' });
    });

    it('drop defaults where they stand under another kind', () => {
      const job = structOf(fieldOf('io.k8s.api.batch.v1.Job', 'spec').type);
      const inCronJob = structOf(fieldOf('io.k8s.api.batch.v1.JobTemplateSpec', 'spec').type);
      assert.equal(job.field.get('suspend')?.default, false);
      assert.equal(inCronJob.field.get('suspend')?.default, undefined);
      assert.equal(inCronJob.name, job.name);
      assert.deepEqual([...inCronJob.field.keys()], [...job.field.keys()]);
      const inTemplate = structOf(fieldOf('io.k8s.api.core.v1.PodTemplateSpec', 'spec').type);
      assert.equal(inTemplate.field.get('enableServiceLinks')?.default, undefined);
      assert.equal(inTemplate.field.get('restartPolicy')?.default, 'Always');
    });

    it('name groups and extensions as the profile does', () => {
      for (const [profile, group, extension] of [
        ['orch', 'rbac.authorization.orch.io', 'x-orch-preserve-unknown-fields'],
        ['kubernetes', 'rbac.authorization.k8s.io', 'x-kubernetes-preserve-unknown-fields'],
      ] as const) {
        const { registry: named } = openSchemas(profile);
        assert.equal(named.type('io.k8s.api.rbac.v1.RoleRef')?.field.get('apiGroup')?.default, group);
        const schema = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
        assert.ok(named.type(schema)?.field.has(extension));
      }
    });

    it('do not exist under other names', () => {
      for (const name of [
        '',
        'Pod',
        'io.k8s.api.core.v1.',
        'io.k8s.api.core.v1.Nope',
        '__proto__',
        'a.constructor',
      ]) {
        assert.equal(registry.type(name), undefined, name);
      }
    });
  });
});
