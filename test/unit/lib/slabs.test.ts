import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Slabs, type Slab, type SlabHolder } from '../../../src/lib/slabs.ts';

function holder(): SlabHolder {
  return { slab: undefined, offset: 0, length: 0, slot: 0 };
}

function put(slabs: Slabs, text: string): SlabHolder {
  const one = holder();
  slabs.reserve(one, Buffer.byteLength(text)).write(text);
  return one;
}

function read({ slab, offset, length }: SlabHolder): string {
  return slab!.memory.toString('utf8', offset, offset + length);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('slabs', () => {
  it('hold what was written, each in its place', () => {
    const slabs = new Slabs({ slabBytes: 64 });
    const texts = Array.from({ length: 50 }, (_, i) => `text ${i} `.repeat(1 + (i % 3)));
    const holders = texts.map((text) => put(slabs, text));
    assert.deepEqual(holders.map(read), texts);
  });

  it('give large texts a slab of their own, which goes with them', () => {
    const slabs = new Slabs({ slabBytes: 1024 });
    const large = put(slabs, 'x'.repeat(5000));
    assert.deepEqual(slabs.usage, { held: 5000, live: 5000, reserved: 5000 });
    slabs.free(large);
    assert.deepEqual(slabs.usage, { held: 0, live: 0, reserved: 5000 });
    assert.equal(read(large), 'x'.repeat(5000));
  });

  it('can be shared with other threads', () => {
    const slabs = new Slabs({ slabBytes: 64, shared: true });
    const one = put(slabs, 'hello');
    assert.ok(one.slab!.memory.buffer instanceof SharedArrayBuffer);
    assert.equal(read(one), 'hello');
  });

  it('freeing twice counts once', () => {
    const slabs = new Slabs({ slabBytes: 64 });
    const [one, two] = [put(slabs, 'one'), put(slabs, 'two')];
    slabs.free(one);
    slabs.free(one);
    assert.equal(slabs.usage.live, 3);
    assert.equal(read(two), 'two');
  });

  it('keep memory bounded, whatever is replaced how often', () => {
    const slabBytes = 64 * 1024;
    const slabs = new Slabs({ slabBytes });
    const holders: SlabHolder[] = [];
    // A thousand that stay, scattered among many that go.
    for (let i = 0; i < 100_000; i++) {
      const one = put(slabs, `value ${i} `.repeat(20));
      if (i % 100 === 0) holders.push(one);
      else slabs.free(one);
      const { held, live } = slabs.usage;
      assert.ok(held <= live * 1.5 + 4 * slabBytes, `${held} bytes held for ${live} alive`);
    }
    assert.deepEqual(
      holders.map(read),
      holders.map((_, i) => `value ${i * 100} `.repeat(20)),
    );
  });

  it('let go of memory when nearly everything is freed', () => {
    const slabBytes = 64 * 1024;
    const slabs = new Slabs({ slabBytes });
    const holders = Array.from({ length: 20_000 }, (_, i) => put(slabs, `value ${i} `.repeat(10)));
    holders.forEach((one, i) => i % 50 !== 0 && slabs.free(one));
    const { held, live } = slabs.usage;
    assert.ok(held <= live * 1.5 + 4 * slabBytes, `${held} bytes held for ${live} alive`);
    const kept = holders.filter((_, i) => i % 50 === 0);
    assert.deepEqual(
      kept.map(read),
      kept.map((_, i) => `value ${i * 50} `.repeat(10)),
    );
  });

  it('keep nothing of what they have let go of', async () => {
    const slabBytes = 8 * 1024;
    const slabs = new Slabs({ slabBytes });
    const seen = new Map<Slab, WeakRef<Slab>>();
    const write = (_: unknown, i: number): SlabHolder => {
      const one = put(slabs, `value ${i} `.repeat(10));
      if (!seen.has(one.slab!)) seen.set(one.slab!, new WeakRef(one.slab!));
      return one;
    };
    const kept = Array.from({ length: 2000 }, write);
    // Slabs become sparse first, while so few bytes are dead that nothing is emptied, and die later.
    for (let round = 0; round < 50; round++) {
      const holders = Array.from({ length: 200 }, write);
      holders.forEach((one, i) => i % 2 === 0 && slabs.free(one));
      holders.forEach((one) => slabs.free(one));
    }
    const refs = [...seen.values()];
    seen.clear();
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    const alive = refs.filter((ref) => ref.deref() !== undefined).length;
    assert.ok(alive <= 10 + slabs.usage.held / slabBytes, `${alive} slabs for ${slabs.usage.held} bytes`);
    assert.equal(kept.map(read).length, 2000);
  });

  it('a view stays true while its bytes are moved, freed and others written', () => {
    const slabs = new Slabs({ slabBytes: 4096 });
    const views: { view: Buffer; text: string }[] = [];
    for (let i = 0; i < 5000; i++) {
      const text = `value ${i} `.repeat(5);
      const one = put(slabs, text);
      const { slab, offset, length } = one;
      views.push({ view: slab!.memory.subarray(offset, offset + length), text });
      if (i % 10 !== 0) slabs.free(one);
    }
    for (const { view, text } of views) assert.equal(view.toString(), text);
  });

  it('any sequence of writes and frees keeps what is alive', () => {
    const step = fc.oneof(fc.nat(400), fc.record({ free: fc.nat(1000) }));
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 300 }), (steps) => {
        const slabs = new Slabs({ slabBytes: 1024 });
        const alive: { one: SlabHolder; text: string }[] = [];
        for (const [i, what] of steps.entries()) {
          if (typeof what === 'number') {
            const text = String.fromCharCode(97 + (i % 26)).repeat(what);
            alive.push({ one: put(slabs, text), text });
          } else if (alive.length > 0) {
            const [gone] = alive.splice(what.free % alive.length, 1);
            slabs.free(gone!.one);
          }
        }
        for (const { one, text } of alive) assert.equal(read(one), text);
        assert.equal(
          slabs.usage.live,
          alive.reduce((sum, { text }) => sum + text.length, 0),
        );
      }),
    );
  });
});
