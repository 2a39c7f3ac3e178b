import assert from 'node:assert/strict';
import type { ResourceDefinition } from '../../src/schema/model.ts';
import { ANY, exactly, notOlderThan, refusedWith, type Declare } from './object-store-support.ts';

export function declareReads(it: Declare, resource: ResourceDefinition): void {
  it('an object is found at every freshness', async (g) => {
    const { revision } = await g.create(resource, 'a');
    assert.equal((await g.get(resource, 'a')).revision, revision);
    assert.equal((await g.get(resource, 'a', { at: notOlderThan(revision) })).revision, revision);
    assert.equal((await g.get(resource, 'a', { at: ANY })).revision, revision);
    assert.equal((await g.get(resource, 'a', { at: exactly(revision) })).revision, revision);
  });

  it('an object that does not exist is not found', async (g) => {
    await g.create(resource, 'a');
    for (const at of [ANY, { at: 'latest' } as const]) {
      const error = await refusedWith('NotFound', g.get(resource, 'b', { at }));
      assert.deepEqual(error.details, { name: 'b', kind: resource.resource });
      await refusedWith('NotFound', g.get(resource, 'a', { at, namespace: 'other' }));
    }
  });

  it('an object can be read as it was', async (g) => {
    const first = await g.create(resource, 'a', { v: 1 });
    const { entry: second } = await g.update(resource, 'a', { v: 2 });
    const { entry: gone } = await g.remove(resource, 'a');
    assert.equal((await g.get(resource, 'a', { at: exactly(first.revision) })).object()['v'], 1);
    assert.equal((await g.get(resource, 'a', { at: exactly(second!.revision) })).object()['v'], 2);
    await refusedWith('NotFound', g.get(resource, 'a', { at: exactly(gone!.revision) }));
  });

  it('what is compacted has expired', async (g) => {
    const { revision } = await g.create(resource, 'a');
    const { entry } = await g.update(resource, 'a', { v: 2 });
    await g.storage.compact(entry!.revision);
    assert.equal((await refusedWith('Expired', g.get(resource, 'a', { at: exactly(revision) }))).code, 410);
  });

  it('a revision that is not reached is waited for, then refused', async (g, test) => {
    test.timeout(15_000);
    const { revision } = await g.create(resource, 'a');
    const [get, list] = await Promise.all([
      refusedWith('Timeout', g.get(resource, 'a', { at: notOlderThan(revision + 1e6) })),
      refusedWith('Timeout', g.list(resource, { at: notOlderThan(revision + 1e6) })),
    ]);
    for (const { code, details, message } of [get, list]) {
      assert.match(message, /^Too large resource version: \d+, current: \d+$/);
      assert.equal(code, 504);
      assert.equal(details?.retryAfterSeconds, 1);
      assert.deepEqual(
        details.causes?.map(({ reason }) => reason),
        ['ResourceVersionTooLarge'],
      );
    }
    // One that is asked for exactly is not waited for: what is not there is not what was meant.
    const at = exactly(revision + 1e6);
    assert.deepEqual((await refusedWith('Timeout', g.get(resource, 'a', { at }))).details, get.details);
    assert.deepEqual((await refusedWith('Timeout', g.list(resource, { at }))).details, get.details);
  });
}
