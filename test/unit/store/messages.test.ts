import assert from 'node:assert/strict';
import type { EncodedObject, StoredEntry } from '../../../src/store/object-store.ts';
import { Gateway } from '../../contract/object-store-support.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { plainCodec, PODS } from '../../support/object-store.ts';

const OTHER_VERSION = { ...PODS, version: 'v2' };

describe('messages of entries', () => {
  const time = new ManualClock();
  let gateway: Gateway;
  /** How many were made. */
  let made = 0;

  async function start(messageBytes: number): Promise<void> {
    const storage = new MemoryStorage();
    const codec = {
      ...plainCodec,
      toMessage(json: EncodedObject, resource: typeof PODS) {
        made++;
        return plainCodec.toMessage(json, resource);
      },
    };
    const subject = { storage, root: '/registry', close: () => storage.close() };
    const history = { bytes: 1 << 20, ms: 60_000 };
    gateway = await Gateway.start(subject, [PODS], { clock: time, codec, messageBytes, history });
    made = 0;
  }
  afterEach(() => gateway.close());

  async function entries(count: number): Promise<readonly StoredEntry[]> {
    for (let i = 0; i < count; i++) await gateway.create(PODS, `p${i}`, { data: 'x'.repeat(1000) });
    return (await gateway.list(PODS)).entries;
  }
  const messageOf = (entry: StoredEntry): string => gateway.store.message(entry, PODS).toString();
  const wanted = (entry: StoredEntry): string => `message ${entry.bytes().bytes.toString()}`;

  it('are made once and kept', async () => {
    await start(1 << 20);
    const list = await entries(50);
    for (let round = 0; round < 3; round++) {
      for (const entry of list) assert.equal(messageOf(entry), wanted(entry));
    }
    assert.equal(made, 50);
    assert.ok(gateway.store.memory().messages > 50_000);
  });

  it('are as long as is told beforehand, kept or not', async () => {
    await start(20_000);
    for (const entry of await entries(50)) {
      const length = gateway.store.messageLength(entry, PODS);
      assert.equal(gateway.store.message(entry, PODS).length, length);
      assert.equal(gateway.store.messageLength(entry, PODS), length);
    }
  });

  it('stay within their bytes, and a longer list finds the same part of them each time', async () => {
    await start(20_000);
    const list = await entries(50);
    for (const entry of list) messageOf(entry);
    assert.equal(made, 50);
    const { messages } = gateway.store.memory();
    assert.ok(messages > 15_000 && messages <= 20_000, `${messages} bytes`);
    for (const entry of list) assert.equal(messageOf(entry), wanted(entry));
    assert.ok(made > 70 && made <= 50 + 50 - 15, `${made} made`);
  });

  it('give way to others when nobody has asked for them for a minute', async () => {
    await start(20_000);
    const list = await entries(50);
    for (const entry of list) messageOf(entry);
    time.advance(70_000);
    const last = list.slice(-10);
    for (const entry of last) messageOf(entry);
    made = 0;
    for (const entry of last) assert.equal(messageOf(entry), wanted(entry));
    assert.equal(made, 0);
    assert.ok(gateway.store.memory().messages <= 20_000);
  });

  it('are let go of with what they are of, and when nobody wants them for minutes', async () => {
    await start(1 << 20);
    for (const entry of await entries(20)) messageOf(entry);
    const { messages } = gateway.store.memory();
    for (let i = 0; i < 10; i++) await gateway.remove(PODS, `p${i}`);
    const { entries: rest } = await gateway.list(PODS);
    for (const entry of rest) messageOf(entry);
    time.advance(120_000); // the history too
    for (const entry of rest) messageOf(entry);
    assert.ok(gateway.store.memory().messages < messages * 0.6);
    time.advance(400_000);
    assert.equal(gateway.store.memory().messages, 0);
  });

  it('of old contents, other versions and deletions are their own', async () => {
    await start(1 << 20);
    const [before] = await entries(1);
    assert.ok(before);
    messageOf(before);
    const { entry: after } = await gateway.update(PODS, 'p0', { data: 'new' });
    assert.ok(after);
    assert.match(messageOf(after), /"data":"new"/);
    assert.match(messageOf(before), /"data":"x+"/);
    assert.match(gateway.store.message(after, OTHER_VERSION).toString(), /"apiVersion":"v2"/);
    assert.equal(
      gateway.store.messageLength(after, OTHER_VERSION),
      gateway.store.message(after, OTHER_VERSION).length,
    );
    const { entry: last } = await gateway.remove(PODS, 'p0');
    assert.ok(last);
    assert.match(messageOf(last), new RegExp(`"resourceVersion":"${last.revision}"`));
  });
});
