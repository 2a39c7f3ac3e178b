import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SortedMap } from '../../../src/lib/sorted-map.ts';

const key = fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'b', '/', 'é') });

function all<V>(map: SortedMap<V>): [string, V][] {
  return [...map.entries()];
}

function sorted<V>(model: Map<string, V>): [string, V][] {
  return [...model].sort(([a], [b]) => (a < b ? -1 : 1));
}

function collect<V>(map: SortedMap<V>, start: string, end?: string, limit = Infinity): V[] {
  const into: V[] = [];
  map.collect(into, { start, end, limit });
  return into;
}

describe('a sorted map', () => {
  it('keeps thousands of keys in order, however they come', () => {
    for (const step of [1, 7919, -1]) {
      const map = new SortedMap<number>();
      const keys = Array.from({ length: 10_007 }, (_, i) => (((i * step) % 10_007) + 10_007) % 10_007);
      for (const k of keys) assert.equal(map.set(String(k).padStart(6, '0'), k), undefined);
      assert.equal(map.size, 10_007);
      assert.deepEqual(
        collect(map, ''),
        keys.toSorted((a, b) => a - b),
      );
      assert.equal(map.get('004711'), 4711);
      for (const k of keys) assert.equal(map.delete(String(k).padStart(6, '0')), k);
      assert.deepEqual([map.size, all(map)], [0, []]);
    }
  });

  it('a clone and its original do not see each other', () => {
    const map = new SortedMap<number>();
    for (let i = 0; i < 2000; i++) map.set(String(i).padStart(6, '0'), i);
    const before = all(map);
    const clone = map.clone();
    const second = clone.clone();
    for (let i = 0; i < 2000; i += 3) map.delete(String(i).padStart(6, '0'));
    for (let i = 0; i < 2000; i += 5) clone.set(String(i).padStart(6, '0'), -1);
    map.set('x', 1);
    assert.deepEqual(all(second), before);
    assert.deepEqual(
      all(clone),
      before.map(([k, v]) => [k, v % 5 === 0 ? -1 : v]),
    );
    assert.deepEqual(all(map), [...before.filter(([, v]) => v % 3 !== 0), ['x', 1]]);
  });

  it('behaves like a map that is sorted when it is read', () => {
    const command = fc.oneof(
      { weight: 5, arbitrary: fc.record({ op: fc.constant('set' as const), key, value: fc.nat() }) },
      { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), key }) },
      { weight: 1, arbitrary: fc.record({ op: fc.constant('clone' as const) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          op: fc.constant('range' as const),
          key,
          end: fc.option(key),
          limit: fc.nat(5),
        }),
      },
    );
    fc.assert(
      fc.property(fc.array(command, { size: 'max', maxLength: 200 }), (commands) => {
        const map = new SortedMap<number>(8);
        const model = new Map<string, number>();
        const clones: [SortedMap<number>, [string, number][]][] = [];
        for (const command of commands) {
          if (command.op === 'set') {
            assert.equal(map.set(command.key, command.value), model.get(command.key));
            model.set(command.key, command.value);
          } else if (command.op === 'delete') {
            assert.equal(map.delete(command.key), model.get(command.key));
            model.delete(command.key);
          } else if (command.op === 'clone') {
            clones.push([map.clone(), sorted(model)]);
          } else {
            const end = command.end ?? undefined;
            const within = sorted(model).filter(([k]) => k >= command.key && (end === undefined || k < end));
            const limit = command.limit === 0 ? Infinity : command.limit;
            assert.deepEqual(
              collect(map, command.key, end, limit),
              within.slice(0, limit).map(([, v]) => v),
            );
            if (end === undefined || end >= command.key)
              assert.equal(map.count(command.key, end), within.length);
            const walked: string[] = [];
            map.walk(command.key, end, (_, k) => walked.push(k) < limit);
            assert.deepEqual(
              walked,
              within.slice(0, limit).map(([k]) => k),
            );
          }
          assert.equal(map.size, model.size);
        }
        assert.deepEqual(all(map), sorted(model));
        for (const [clone, expected] of clones) assert.deepEqual(all(clone), expected);
      }),
    );
  });
});
