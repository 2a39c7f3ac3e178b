import type { ManagedFieldsEntry } from '../../../src/meta/object.ts';
import { Cluster } from '../../unit/verbs/cluster.ts';

const FIELDS_EACH = 10;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** A ConfigMap whose fields many managers own: a refused configuration, the same by force, and one that gives all up. */
export default async function apply(managers: number): Promise<() => Promise<void>> {
  const cluster = await Cluster.open();
  const fields = Array.from({ length: managers * FIELDS_EACH }, (_, i) => `k${i}`);
  const configMap = (value: string, keys = fields): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: Object.fromEntries(keys.map((key) => [key, value])),
  });
  const send = (status: number, query: string, body: object): Promise<unknown> =>
    cluster.expect(status, `PATCH ${CONFIG_MAPS}/a?fieldManager=m${query}`, {
      body,
      contentType: 'application/apply-patch+yaml',
    });
  await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: configMap('1') });
  await cluster.expect(200, `PATCH ${CONFIG_MAPS}/a`, {
    body: { metadata: { managedFields: Array.from({ length: managers }, (_, i) => owner(i, fields)) } },
    contentType: 'application/merge-patch+json',
  });
  return async () => {
    await send(409, '', configMap('2'));
    await send(200, '&force=true', configMap('2'));
    await send(200, '', configMap('', []));
    cluster.close();
  };
}

function owner(index: number, fields: readonly string[]): ManagedFieldsEntry {
  const own = fields.slice(index * FIELDS_EACH, (index + 1) * FIELDS_EACH);
  return {
    manager: `m${index}`,
    operation: 'Apply',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': Object.fromEntries(own.map((key) => [`f:${key}`, {}])) },
  };
}
