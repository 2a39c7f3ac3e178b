import assert from 'node:assert/strict';
import type { ResourceDefinition } from '../../src/schema/model.ts';
import { NODES } from '../support/object-store.ts';
import {
  ANY,
  exactly,
  labelled,
  names,
  notOlderThan,
  refusedWith,
  type Declare,
  type Gateway,
} from './object-store-support.ts';

export function declareLists(it: Declare, resource: ResourceDefinition): void {
  declareScopes(it, resource);
  declarePages(it, resource);
  declareTokens(it, resource);
}

async function createAll(g: Gateway, resource: ResourceDefinition, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const [namespace, name] = path.split('/') as [string, string];
    await g.create(resource, name, { namespace, labels: { parity: name.length % 2 === 0 ? 'even' : 'odd' } });
  }
}

function declareScopes(it: Declare, resource: ResourceDefinition): void {
  it('a list has everything of its scope in key order, and nothing of its neighbours', async (g) => {
    await createAll(g, resource, ['b/x', 'a/y', 'a-b/x', 'a/x', 'a0/z', 'a/x-1', 'a/x.1']);
    await g.create(NODES, 'a');
    for (const at of [ANY, { at: 'latest' } as const]) {
      const all = ['a-b/x', 'a/x', 'a/x-1', 'a/x.1', 'a/y', 'a0/z', 'b/x'];
      if (at.at === 'latest') assert.deepEqual(names(await g.list(resource, { at })), all);
      const inA = await g.list(resource, { at: { at: 'latest' }, namespace: 'a' });
      assert.deepEqual(names(inA), ['a/x', 'a/x-1', 'a/x.1', 'a/y']);
      assert.deepEqual(names(await g.list(resource, { at, namespace: 'nowhere' })), []);
    }
    assert.deepEqual(names(await g.list(NODES)), ['a']);
  });

  it('keys are in order of their UTF-8 bytes', async (g) => {
    const inOrder = ['a/a', 'a/é', 'a/\ud7ff', 'a/\ue000', 'a/\uffee', 'a/\u{1f600}'];
    await createAll(g, resource, inOrder.toReversed());
    assert.deepEqual(names(await g.list(resource)), inOrder);
    const page = await g.list(resource, { limit: 4 });
    const rest = await g.list(resource, { continueToken: page.continueToken! });
    assert.deepEqual([...names(page), ...names(rest)], inOrder);
  });

  it("a list's revision covers what it has and every write acknowledged before it", async (g) => {
    const { revision } = await g.create(resource, 'a');
    const page = await g.list(resource);
    assert.ok(page.revision >= revision);
    assert.ok(page.entries.every((entry) => entry.revision <= page.revision));
    const fresh = await g.list(resource, { at: notOlderThan(revision) });
    assert.ok(fresh.revision >= revision);
  });

  it('a filter chooses by labels and fields', async (g) => {
    await createAll(g, resource, ['a/x', 'a/xx', 'b/yyy', 'b/yyyy']);
    const filter = labelled('parity', 'odd');
    assert.deepEqual(names(await g.list(resource, { filter })), ['a/x', 'b/yyy']);
    assert.deepEqual(names(await g.list(resource, { filter, namespace: 'b' })), ['b/yyy']);
    const named = { matches: ({ name }: { name: string }) => name === 'xx', name: 'xx' };
    assert.deepEqual(names(await g.list(resource, { filter: named })), ['a/xx']);
    assert.deepEqual(names(await g.list(resource, { filter: named, namespace: 'a' })), ['a/xx']);
    assert.deepEqual(names(await g.list(resource, { filter: named, namespace: 'b' })), []);
    const inB = { matches: ({ namespace }: { namespace: string }) => namespace === 'b', namespace: 'b' };
    assert.deepEqual(names(await g.list(resource, { filter: inB })), ['b/yyy', 'b/yyyy']);
  });

  it('a list can be made as of a past revision', async (g) => {
    await g.create(resource, 'a', { v: 1 });
    const { revision } = await g.create(resource, 'b', { v: 1 });
    await g.update(resource, 'a', { v: 2 });
    await g.remove(resource, 'b');
    await g.create(resource, 'c');
    await g.list(resource);
    const past = await g.list(resource, { at: exactly(revision) });
    assert.equal(past.revision, revision);
    assert.deepEqual(
      past.entries.map((entry) => [entry.name, entry.object()['v']]),
      [
        ['a', 1],
        ['b', 1],
      ],
    );
    await g.storage.compact(await g.store.currentRevision());
    for (const gateway of [g, await g.another()]) {
      await refusedWith('Expired', gateway.list(resource, { at: exactly(revision) }));
      await refusedWith('Expired', gateway.list(resource, { at: exactly(revision), limit: 1 }));
    }
  });
}

function declarePages(it: Declare, resource: ResourceDefinition): void {
  const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

  it('pages show one revision, however much changes between them', async (g) => {
    for (const name of NAMES) await g.create(resource, name, { v: 1 });
    const seen: string[] = [];
    const remaining: (number | undefined)[] = [];
    const revisions = new Set<number>();
    let continueToken: string | undefined;
    do {
      const page = await g.list(resource, {
        namespace: 'default',
        limit: 3,
        ...(continueToken === undefined ? {} : { continueToken }),
      });
      seen.push(...page.entries.map((entry) => `${entry.name}${entry.object()['v'] as number}`));
      remaining.push(page.remaining);
      revisions.add(page.revision);
      continueToken = page.continueToken;
      await g.update(resource, 'd', { v: 2 });
      if (seen.length === 3) await g.remove(resource, 'g');
      await g.create(resource, `f${seen.length}`);
    } while (continueToken !== undefined);
    assert.deepEqual(
      seen,
      NAMES.map((name) => `${name}1`),
    );
    assert.deepEqual(remaining, [4, 1, undefined]);
    assert.equal(revisions.size, 1);
  });

  it('a limit that everything fits into leaves no token', async (g) => {
    for (const name of NAMES) await g.create(resource, name);
    for (const limit of [7, 8, 500, 0, -1]) {
      const page = await g.list(resource, { limit });
      assert.deepEqual([page.entries.length, page.continueToken, page.remaining], [7, undefined, undefined]);
    }
    const page = await g.list(resource, { limit: 6 });
    assert.deepEqual([page.entries.length, page.remaining], [6, 1]);
  });

  it('pages of a filtered list do not tell how much is left, and end', async (g) => {
    for (const [i, name] of NAMES.entries()) await g.create(resource, name, { labels: { odd: `${i % 2}` } });
    const filter = labelled('odd', '1');
    const first = await g.list(resource, { filter, limit: 2 });
    assert.deepEqual([first.entries.map(({ name }) => name), first.remaining], [['b', 'd'], undefined]);
    const second = await g.list(resource, { filter, limit: 2, continueToken: first.continueToken! });
    assert.deepEqual(
      second.entries.map(({ name }) => name),
      ['f'],
    );
  });

  it('a token goes on at another gateway, with another limit, or without one', async (g) => {
    for (const name of NAMES) await g.create(resource, name);
    const { continueToken, revision } = await g.list(resource, { limit: 2 });
    await g.remove(resource, 'e');
    const other = await g.another([resource]);
    const rest = await other.list(resource, { continueToken: continueToken! });
    assert.deepEqual([rest.revision, rest.entries.map(({ name }) => name)], [revision, NAMES.slice(2)]);
    const two = await other.list(resource, { continueToken: continueToken!, limit: 2 });
    assert.deepEqual([two.entries.map(({ name }) => name), two.remaining], [['c', 'd'], 3]);
  });

  it('pages go on when everything is deleted between them, and are empty when that is all there is', async (g) => {
    for (const name of NAMES) await g.create(resource, name);
    const first = await g.list(resource, { limit: 3 });
    for (const name of NAMES) await g.remove(resource, name);
    const other = await g.another([resource]);
    for (const gateway of [g, other]) {
      const rest = await gateway.list(resource, { continueToken: first.continueToken! });
      assert.deepEqual(
        [rest.revision, rest.entries.map(({ name }) => name)],
        [first.revision, NAMES.slice(3)],
      );
      assert.deepEqual([rest.continueToken, rest.remaining], [undefined, undefined]);
    }
    await g.storage.compact(await g.store.currentRevision());
    const expired = await refusedWith('Expired', g.list(resource, { continueToken: first.continueToken! }));
    const page = await g.list(resource, { limit: 3, continueToken: expired.continueToken! });
    assert.deepEqual([page.entries.length, page.continueToken], [0, undefined]);
  });

  it('a token leads nowhere but into the list that it is used for', async (g) => {
    for (const namespace of ['a', 'b', 'c']) {
      for (const name of ['x', 'y']) await g.create(resource, name, { namespace });
    }
    const { continueToken } = await g.list(resource, { namespace: 'b', limit: 1 });
    const used = async (namespace: string) =>
      names(await g.list(resource, { namespace, continueToken: continueToken! }));
    assert.deepEqual(await used('b'), ['b/y']);
    assert.deepEqual(await used('a'), ['a/y']);
    assert.deepEqual(await used('nowhere'), []);
    assert.deepEqual(await used(''), [], 'nothing is named beyond x');
    const all = await g.list(resource, { limit: 3 });
    assert.deepEqual(names(await g.list(resource, { namespace: 'c', continueToken: all.continueToken! })), [
      'c/x',
      'c/y',
    ]);
  });

  it('a token whose revision is compacted has expired', async (g) => {
    for (const name of NAMES) await g.create(resource, name);
    const { continueToken } = await g.list(resource, { limit: 2 });
    const { entry } = await g.update(resource, 'a', { v: 2 });
    assert.equal((await g.list(resource, { continueToken: continueToken! })).entries.length, 5);
    await g.storage.compact(entry!.revision);
    for (const gateway of [g, await g.another([resource])]) {
      const error = await refusedWith('Expired', gateway.list(resource, { continueToken: continueToken! }));
      assert.equal(error.code, 410);
    }
  });

  it('an expired token comes with one that goes on from its place with what there is now', async (g) => {
    for (const name of NAMES) await g.create(resource, name);
    const first = await g.list(resource, { namespace: 'default', limit: 2 });
    await g.create(resource, 'bb');
    const { entry } = await g.remove(resource, 'd');
    await g.storage.compact(entry!.revision);
    const expired = g.list(resource, { namespace: 'default', continueToken: first.continueToken! });
    const { metadata } = (await refusedWith('Expired', expired)).toStatus();
    const next = { namespace: 'default', limit: 2, continueToken: metadata['continue'] as string };
    const page = await g.list(resource, next);
    assert.deepEqual([names(page), page.remaining], [['default/bb', 'default/c'], 3]);
    assert.ok(page.revision >= entry!.revision);
    const rest = await g.list(resource, { namespace: 'default', continueToken: page.continueToken! });
    assert.deepEqual([rest.revision, names(rest)], [page.revision, ['default/e', 'default/f', 'default/g']]);
  });
}

function declareTokens(it: Declare, resource: ResourceDefinition): void {
  const token = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64url');
  const v = 'meta.k8s.io/v1';

  it('tokens of the Go API server are understood, also those without a revision', async (g) => {
    for (const name of ['a', 'b', 'c']) await g.create(resource, name);
    const rv = await g.store.currentRevision();
    for (const start of ['a\0', '/a\0', 'b', '/b']) {
      const page = await g.list(resource, { namespace: 'default', continueToken: token({ v, rv, start }) });
      assert.deepEqual([page.revision, names(page)], [rv, ['default/b', 'default/c']]);
    }
    const newest = await g.list(resource, {
      namespace: 'default',
      continueToken: token({ v, rv: -1, start: 'a\0' }),
    });
    assert.deepEqual(names(newest), ['default/b', 'default/c']);
    const all = await g.list(resource, { continueToken: token({ v, rv, start: '/default/b\0' }) });
    assert.deepEqual(names(all), ['default/c']);
    const start = await g.list(resource, { continueToken: token({ v, rv: -2, start: '/' }) });
    assert.equal(start.entries.length, 3);
  });

  it('a token names its place below the list, also where a filter demands one namespace', async (g) => {
    for (const namespace of ['a', 'b', 'c']) {
      for (const name of ['x', 'y', 'z']) await g.create(resource, name, { namespace });
    }
    const rv = await g.store.currentRevision();
    const filter = { matches: ({ namespace }: { namespace: string }) => namespace === 'b', namespace: 'b' };
    const { continueToken } = await g.list(resource, { filter, limit: 1 });
    assert.equal(continueToken, token({ v, rv, start: 'b/x\0' }));
    for (const [start, expected] of [
      ['b/x\0', ['b/y', 'b/z']],
      ['/b/x\0', ['b/y', 'b/z']],
      ['a/z\0', ['b/x', 'b/y', 'b/z']],
      ['b/z\0', []],
      ['c/x\0', []],
    ] as const) {
      const page = await g.list(resource, { filter, continueToken: token({ v, rv, start }) });
      assert.deepEqual(names(page), expected, start);
    }
  });

  it('a token goes on also where the filter has become one for a name', async (g) => {
    const { revision: rv } = await g.create(resource, 'c');
    const filter = { matches: ({ name }: { name: string }) => name === 'c', name: 'c' };
    for (const [start, expected] of [
      ['b\0', ['default/c']],
      ['c\0', []],
    ] as const) {
      const page = g.list(resource, { namespace: 'default', filter, continueToken: token({ v, rv, start }) });
      assert.deepEqual(names(await page), expected);
    }
    const { entry } = await g.remove(resource, 'c');
    await g.storage.compact(entry!.revision);
    const continueToken = token({ v, rv, start: 'b\0' });
    const error = await refusedWith(
      'Expired',
      g.list(resource, { namespace: 'default', filter, continueToken }),
    );
    assert.equal(typeof error.continueToken, 'string');
  });

  it('tokens that make no sense, or lead elsewhere, are refused', async (g) => {
    const { revision: rv } = await g.create(resource, 'a');
    const bad = [
      'garbage',
      '',
      '!!!',
      token(null),
      token([]),
      token('x'),
      token({ v: 'foo', rv, start: 'a' }),
      token({ rv, start: 'a' }),
      token({ v, rv: 0, start: 'a' }),
      token({ v, rv: rv + 1e6, start: 'a' }),
      `${token({ v, rv, start: 'a' })}=`,
      token({ v, rv, start: '\xff\xff>' }).replace(/$/, '+/'),
      token({ v, rv: 1.5, start: 'a' }),
      token({ v, rv: `${rv}`, start: 'a' }),
      token({ v, rv: 1e300, start: 'a' }),
      token({ v, rv, start: '' }),
      token({ v, rv, start: 7 }),
      token({ v, rv }),
      ...['../evil', '..', '.', '//a', 'a//b', 'a/../b', '/../x', 'a/.', 'a/'].map((start) =>
        token({ v, rv, start }),
      ),
      token({ v, rv, start: 'x'.repeat(10_000) }),
    ];
    for (const continueToken of bad) {
      await refusedWith('BadRequest', g.list(resource, { namespace: 'default', continueToken }));
    }
  });
}
