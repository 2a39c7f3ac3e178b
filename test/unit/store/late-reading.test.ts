import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { ObjectCodec } from '../../../src/store/codec.ts';
import {
  exactly,
  Gateway,
  labelled,
  names,
  refusedWith,
  type StoreSubject,
} from '../../contract/object-store-support.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { plainCodec, PODS, RecordingSink } from '../../support/object-store.ts';

/** Begins as ours do, and breaks off. */
const DAMAGED = Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"bad"');

describe('objects that were stored before the start', () => {
  let subject: StoreSubject;
  let gateway: Gateway;
  /** Names of the pods that were decoded, in order. */
  let decoded: string[];
  let told: string[];
  /** What decoding takes. */
  let decodeMs: number;

  const codec: ObjectCodec = {
    ...plainCodec,
    decodeStored(bytes, resource) {
      const end = performance.now() + decodeMs;
      while (performance.now() < end);
      decoded.push(/"name":"([^"]*)"/.exec(bytes.toString())?.[1] ?? '');
      return plainCodec.decodeStored(bytes, resource);
    },
  };
  const key = (path: string): string => `/registry/pods/${path}`;

  beforeEach(() => {
    const storage = new MemoryStorage();
    subject = { storage, root: '/registry', close: () => storage.close() };
  });
  afterEach(() => gateway.close());

  /** A gateway over pods in two namespaces that has just begun; those of `damaged` can't be read. */
  async function begin(damaged: readonly string[] = []): Promise<void> {
    const before = await Gateway.start(subject, [PODS]);
    for (const name of ['a', 'b', 'c', 'd']) {
      await before.create(PODS, name, { namespace: 'one', labels: { x: name } });
      await before.create(PODS, `${name}2`, { namespace: 'two', labels: { x: name } });
    }
    before.close();
    for (const path of damaged) await subject.storage.create(key(path), DAMAGED);
    decoded = [];
    decodeMs = 0;
    told = [];
    const observer = { unreadable: (bad: string) => void told.push(bad) };
    gateway = await Gateway.start(subject, [PODS], { codec, observer });
    assert.deepEqual(decoded, [], 'nothing is decoded before it is ready');
  }

  async function untilRead(): Promise<void> {
    while (decoded.length < 8) await new Promise((resolve) => setImmediate(resolve));
  }

  it('are decoded later, each once, whoever asks meanwhile', async () => {
    await begin();
    assert.equal((await gateway.get(PODS, 'c', { namespace: 'one' })).uid.slice(0, 4), 'uid-');
    assert.deepEqual(decoded, ['c']);
    await untilRead();
    const { entries } = await gateway.list(PODS);
    const mentioned = entries.filter((entry) => entry.mentions(Buffer.from('"x":"c"')));
    assert.deepEqual(
      mentioned.map(({ name }) => name),
      ['c', 'c2'],
    );
    for (const entry of entries) entry.bytes();
    assert.deepEqual(decoded.toSorted(), ['a', 'a2', 'b', 'b2', 'c', 'c2', 'd', 'd2']);
  });

  it('are decoded one a turn where each takes long', async () => {
    await begin();
    decodeMs = 6;
    for (let known = 0; known < 8; known = decoded.length) {
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(decoded.length <= known + 1, `${decoded.length - known} in one turn`);
    }
  });

  it('are decoded by a list as far as it is about them', async () => {
    await begin();
    const page = await gateway.list(PODS, { namespace: 'two', filter: labelled('x', 'b') });
    assert.deepEqual(names(page), ['two/b2']);
    assert.deepEqual(decoded, ['a2', 'b2', 'c2', 'd2']);
  });

  it('are served as a reader of the storage makes them', async () => {
    const spaced = Buffer.from(
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"e","namespace":"one","labels":{"x":"e"}}, "z":1,"b":2}',
    );
    await subject.storage.create(key('one/e'), spaced);
    await begin();
    const { entries } = await gateway.list(PODS, { namespace: 'one', filter: labelled('x', 'e') });
    assert.match(entries[0]!.bytes().bytes.toString(), /,"b":2,"z":1}$/);
  });

  it('come and go for watches with what they were', async () => {
    await begin();
    const { revision } = await gateway.list(PODS, { namespace: 'none' });
    const sink = new RecordingSink();
    const start = { from: 'after', revision } as const;
    const request = { resource: PODS, namespace: '', filter: labelled('x', 'a'), markInitialEvents: false };
    await gateway.store.watch({ ...request, start }, sink);
    await gateway.remove(PODS, 'a', 'one');
    await gateway.update(PODS, 'a2', { namespace: 'two', labels: { x: 'other' } });
    await sink.until(() => sink.events.length === 2);
    assert.deepEqual(sink.kinds, ['DELETED a', 'DELETED a2']);
    const past = await gateway.list(PODS, { at: exactly(revision), filter: labelled('x', 'a') });
    assert.deepEqual(names(past), ['one/a', 'two/a2']);
  });

  it('are refused by name where they can not be read, and found out without being asked for', async () => {
    await begin(['one/bad', 'one/worse']);
    const error = await refusedWith('StorageReadError', gateway.get(PODS, 'bad', { namespace: 'one' }));
    assert.ok(error.message.includes(key('one/bad')), error.message);
    assert.deepEqual(told, [key('one/bad')]);
    await untilRead();
    await gateway.list(PODS, { namespace: 'two' });
    while (told.length < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(told, [key('one/bad'), key('one/worse')]);
    const list = await refusedWith('StorageReadError', gateway.list(PODS));
    assert.equal(list.details?.causes?.length, 2);
  });

  for (const [what, ask] of [
    ['list', () => gateway.list(PODS)],
    ['page', () => gateway.list(PODS, { limit: 1 })],
    ['list by label', () => gateway.list(PODS, { filter: labelled('x', 'a') })],
    ['list of their namespace', () => gateway.list(PODS, { namespace: 'two' })],
    ['watch', () => gateway.watch(PODS)],
    ['update', () => gateway.update(PODS, 'bad', { namespace: 'two' })],
    ['deletion', () => gateway.remove(PODS, 'bad', 'two')],
  ] as const) {
    it(`are refused by the first ${what}`, async () => {
      await begin(['two/bad']);
      const error = await refusedWith('StorageReadError', ask());
      assert.ok(error.message.includes(key('two/bad')), error.message);
    });
  }

  it('leave no state behind that lacks what can not be read', async () => {
    await begin(['two/bad']);
    const { revision, continueToken } = await gateway.list(PODS, { namespace: 'one', limit: 1 });
    const rest = await gateway.list(PODS, { namespace: 'one', continueToken: continueToken! });
    assert.deepEqual([rest.revision, names(rest)], [revision, ['one/b', 'one/c', 'one/d']]);
    await refusedWith('StorageReadError', gateway.list(PODS, { at: exactly(revision) }));
  });

  it('heal when something readable takes their place', async () => {
    await begin(['one/bad']);
    const { sink } = await gateway.watch(PODS, { namespace: 'two' });
    const [item] = (await subject.storage.range({ start: key('one/bad') })).items;
    const healed = '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"bad","namespace":"one"}}\n';
    await subject.storage.replace(key('one/bad'), item!.modRevision, Buffer.from(healed));
    assert.equal((await gateway.list(PODS)).entries.length, 9);
    assert.equal(sink.ended, undefined);
    const past = gateway.list(PODS, { at: exactly(item!.modRevision) });
    await assert.rejects(past, (error) => error instanceof ApiError && error.reason === 'StorageReadError');
  });
});
