import assert from 'node:assert/strict';
import { appearance } from '../../../src/store/appearance.ts';
import { Cluster } from '../verbs/cluster.ts';

describe('the appearance of an object', () => {
  let cluster: Cluster;
  beforeEach(async () => (cluster = await Cluster.open()));
  afterEach(() => cluster.close());

  const make = (name: string) =>
    cluster.expect(201, 'POST /api/v1/namespaces/default/configmaps', { body: { metadata: { name } } });
  const awaited = (signal: AbortSignal) => {
    const resource = cluster.schemas.resource('', 'v1', 'configmaps');
    assert.ok(resource);
    return appearance(cluster.store, { resource, namespace: 'default', name: 'a' }, signal);
  };

  it('is not waited for where it is there', async () => {
    await make('a');
    assert.equal((await awaited(new AbortController().signal))?.name, 'a');
  });

  it('is told when it comes', async () => {
    const found = awaited(new AbortController().signal);
    await make('b');
    await make('a');
    assert.equal((await found)?.name, 'a');
  });

  it('is given up when it is no longer waited for, or was not any more', async () => {
    const waiting = new AbortController();
    const found = awaited(waiting.signal);
    await make('b');
    waiting.abort();
    assert.equal(await found, undefined);
    assert.equal(await awaited(waiting.signal), undefined);
  });

  it('is given up when the store closes', async () => {
    const found = awaited(new AbortController().signal);
    await make('b');
    cluster.close();
    assert.equal(await found, undefined);
  });
});
