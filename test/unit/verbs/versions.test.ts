import assert from 'node:assert/strict';
import { formatGroupVersion, type ApiObject, type JsonObject } from '../../../src/meta/object.ts';
import type { ResourceDefinition } from '../../../src/schema/model.ts';
import { RecordingSink } from '../../support/object-store.ts';
import { samples, type Sample } from '../registry/samples.ts';
import { Cluster } from './cluster.ts';

type Written = Pick<Sample, 'title' | 'resource' | 'sent'>;

/** Of kinds that the facts have no samples of, in their stored versions. */
const MORE: readonly (readonly [group: string, version: string, resource: string, fields: JsonObject])[] = [
  ['storage.k8s.io', 'v1beta1', 'volumeattributesclasses', { driverName: 'd', parameters: { a: 'b' } }],
  ['resource.k8s.io', 'v1beta1', 'deviceclasses', { spec: {} }],
  ['resource.k8s.io', 'v1beta1', 'resourceclaims', { spec: {} }],
  ['resource.k8s.io', 'v1beta1', 'resourceclaimtemplates', { spec: { spec: {} } }],
  [
    'resource.k8s.io',
    'v1beta1',
    'resourceslices',
    {
      spec: {
        driver: 'd',
        nodeName: 'n',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'x', basic: { capacity: { memory: { value: '1Gi' } } } }],
      },
    },
  ],
];

/** A sample of each kind that is served in several versions, with their rows. */
function multiVersionKinds(cluster: Cluster): { sample: Written; rows: ResourceDefinition[] }[] {
  const { schemas } = cluster;
  const rows = schemas
    .groups()
    .flatMap(({ name, versions }) => versions.flatMap((version) => schemas.resourcesOf(name, version)));
  const found = new Map<string, { sample: Written; rows: ResourceDefinition[] }>();
  const more = MORE.flatMap(([group, version, resource, fields]) => {
    const row = schemas.resource(group, version, resource);
    assert.ok(row !== undefined);
    const sent = { metadata: { name: 'x' }, ...fields };
    return { title: resource, resource: row, sent };
  });
  for (const sample of [...samples(), ...more]) {
    const prefix = sample.resource.storage?.prefix;
    const versions = rows.filter(({ storage }) => storage !== undefined && storage.prefix === prefix);
    if (prefix !== undefined && versions.length > 1 && !found.has(prefix)) {
      found.set(prefix, { sample, rows: versions });
    }
  }
  return [...found.values()];
}

function collection({ group, version, resource, namespaced }: ResourceDefinition): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? '/namespaces/default' : ''}/${resource}`;
}

function itself({ apiVersion: _, metadata, ...rest }: ApiObject): unknown {
  const { managedFields: _managedFields, ...others } = metadata;
  return { metadata: others, ...rest };
}

describe('an object of a kind with several versions', () => {
  let cluster: Cluster;
  let kinds: ReturnType<typeof multiVersionKinds>;
  before(async () => {
    cluster = await Cluster.open();
    kinds = multiVersionKinds(cluster);
  });
  after(() => cluster.close());

  it('is of one kind of nine', () => {
    assert.ok(kinds.length >= 9, kinds.map(({ sample }) => sample.title).join(', '));
  });

  it('is read, listed and watched as the same object in every version', async () => {
    for (const { sample, rows } of kinds) {
      const { name } = sample.sent.metadata as { name: string };
      const path = (row: ResourceDefinition): string => `${collection(row)}/${name}`;
      await cluster.expect(201, `POST ${collection(sample.resource)}`, { body: sample.sent });
      for (const row of rows) {
        const title = `${row.kind} in ${row.group}/${row.version}`;
        const { object } = await cluster.expect(200, `GET ${path(row)}`);
        const apiVersion = formatGroupVersion(row.group, row.version);
        assert.deepEqual([object.kind, object.apiVersion], [row.kind, apiVersion], title);
        const { items } = await cluster.expect(200, `GET ${collection(row)}`);
        const { resourceVersion } = object.metadata;
        assert.deepEqual(
          items.map(({ metadata }) => metadata.resourceVersion),
          [resourceVersion],
          title,
        );
        const { result } = await cluster.expect(200, `GET ${collection(row)}?watch=true`);
        assert.ok(result?.kind === 'watch');
        const sink = new RecordingSink();
        const subscription = await result.subscribe(sink);
        await sink.until(() => sink.batches.length > 0);
        subscription.close();
        const entry = sink.batches[0]?.events[0]?.entry;
        assert.ok(entry !== undefined, title);
        assert.deepEqual(cluster.store.decode(entry, row), object, title);
      }
    }
  });

  it('is left as it is by writing back what any version shows, and changed alike by any', async () => {
    for (const { sample, rows } of kinds) {
      const { name } = sample.sent.metadata as { name: string };
      for (const row of rows) {
        const title = `${row.kind} in ${row.group}/${row.version}`;
        const path = `${collection(row)}/${name}`;
        const { object: before } = await cluster.expect(200, `GET ${path}`);
        const { object: after } = await cluster.expect(200, `PUT ${path}`, { body: before });
        assert.equal(after.metadata.resourceVersion, before.metadata.resourceVersion, title);
        const label = `v-${row.version}-${row.group === '' ? 'core' : 'group'}`;
        await cluster.expect(200, `PATCH ${path}`, {
          body: { metadata: { labels: { [label]: 'here' } } },
          contentType: 'application/merge-patch+json',
        });
        for (const other of rows) {
          const { object } = await cluster.expect(200, `GET ${collection(other)}/${name}`);
          assert.equal(object.metadata.labels?.[label], 'here', `${title}, seen in ${other.version}`);
        }
        const { object: seen } = await cluster.expect(200, `GET ${path}`);
        const { labels: _labels, resourceVersion: _version, ...metadata } = before.metadata;
        const { labels: _l, resourceVersion: _v, ...seenMetadata } = seen.metadata;
        assert.deepEqual(itself({ ...seen, metadata: seenMetadata }), itself({ ...before, metadata }), title);
      }
    }
  });

  it('goes from all versions when it is deleted in one', async () => {
    for (const { sample, rows } of kinds) {
      const { name } = sample.sent.metadata as { name: string };
      const last = rows.at(-1) as ResourceDefinition;
      await cluster.expect(200, `DELETE ${collection(last)}/${name}?gracePeriodSeconds=0`);
      for (const row of rows) await cluster.expect(404, `GET ${collection(row)}/${name}`);
    }
  });
});
