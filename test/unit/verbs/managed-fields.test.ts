import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import type { ApiObject, ManagedFieldsEntry } from '../../../src/meta/object.ts';
import { Cluster } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = 'application/merge-patch+json';

const managers = ({ metadata }: ApiObject): string[] =>
  (metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);

describe('the record of ownership', () => {
  let cluster: Cluster;
  afterEach(() => cluster.close());

  describe('after admission', () => {
    /** A plugin that sets the record of ConfigMaps. */
    const recording = (managedFields: ManagedFieldsEntry[]): AdmissionPlugin => ({
      name: 'Recording',
      operations: ['CREATE', 'UPDATE'],
      mutate({ object, resource }) {
        if (object !== undefined && resource.kind === 'ConfigMap')
          object.metadata.managedFields = managedFields;
        return Promise.resolve();
      },
    });
    const entry = {
      manager: 'admission',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': {} },
    };
    const create = (record: ManagedFieldsEntry[]) =>
      Cluster.open({ plugins: [recording(record)] }).then((opened) => {
        cluster = opened;
        return cluster.expect(201, `POST ${CONFIG_MAPS}`, {
          body: { metadata: { name: 'a' }, data: { k: '1' } },
        });
      });

    it('is what admission made of it', async () => {
      const { object, warnings } = await create([entry]);
      assert.deepEqual([managers(object), warnings], [['admission Update'], []]);
    });

    it('is as it was when admission broke it, and says so', async () => {
      const { object, warnings } = await create([{ ...entry, apiVersion: '' }]);
      assert.deepEqual([managers(object), warnings.length], [['test Update'], 1]);
      const changed = await cluster.expect(200, `PATCH ${CONFIG_MAPS}/a?fieldManager=m`, {
        body: { data: { j: '1' } },
        contentType: MERGE,
      });
      assert.deepEqual(managers(changed.object), ['m Update', 'test Update']);
    });
  });

  it('is left out where the store finds the object too large with it', async () => {
    cluster = await Cluster.open();
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${'k'.repeat(38)}${i}`, '']));
    const made = await cluster.expect(201, `POST ${CONFIG_MAPS}`, {
      body: { metadata: { name: 'a' }, data },
    });
    assert.deepEqual(managers(made.object), []);
    await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'b' } } });
    const { object } = await cluster.expect(200, `PUT ${CONFIG_MAPS}/b`, {
      body: { metadata: { name: 'b' }, data },
    });
    assert.deepEqual(managers(object), []);
    const configuration = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data };
    await cluster.expect(413, `PATCH ${CONFIG_MAPS}/c?fieldManager=m`, {
      body: configuration,
      contentType: 'application/apply-patch+yaml',
    });
  });
});
