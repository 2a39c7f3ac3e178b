import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ApiObject, ManagedFieldsEntry } from '../../../src/meta/object.ts';
import { decodeObject } from '../../../src/schema/codec/decode.ts';
import { loadSchemas } from '../../../src/schema/load.ts';
import type { StructType } from '../../../src/schema/model.ts';
import { capUpdateManagers } from '../../../src/schema/ownership/cap-managers.ts';
import {
  difference,
  differenceBelow,
  EMPTY_SET,
  union,
  type FieldSet,
} from '../../../src/schema/ownership/field-set.ts';
import {
  keepTimesOfNoChange,
  updateOwnership,
  type OwnershipUpdate,
} from '../../../src/schema/ownership/update-ownership.ts';
import { fieldSet, singleVersion } from '../../support/field-sets.ts';

type Path = readonly string[];
const setOf = (paths: readonly Path[]): FieldSet => fieldSet(...paths);
const text = (paths: Iterable<Path>): string[] => [...new Set([...paths].map((p) => p.join('/')))].sort();
const has = (paths: readonly Path[], path: Path): boolean =>
  paths.some((p) => p.join('/') === path.join('/'));
const isBelow = (path: Path, above: Path): boolean => above.every((element, i) => path[i] === element);

describe('field sets', () => {
  const element = fc.constantFrom('f:a', 'f:b', 'k:{"n":1}');
  const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 8 });

  it('do what sets of paths do', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        assert.deepEqual(union(setOf(a), setOf(b)), setOf([...a, ...b]));
        assert.deepEqual(difference(setOf(a), setOf(b)), setOf(a.filter((p) => !has(b, p))));
        const outside = a.filter((p) => !b.some((above) => isBelow(p, above)));
        assert.deepEqual(differenceBelow(setOf(a), setOf(b)), setOf(outside));
      }),
    );
  });

  it('are equal texts when they are equal, however they came about', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        assert.equal(JSON.stringify(union(setOf(a), setOf(b))), JSON.stringify(union(setOf(b), setOf(a))));
      }),
    );
  });

  it('return what they were given where nothing changes', () => {
    const set = setOf([['f:a', 'f:b'], ['f:c']]);
    assert.equal(union(set, setOf([['f:c']])), set);
    assert.equal(difference(set, setOf([['f:a']])), set);
    assert.equal(difference(set, EMPTY_SET), set);
  });

  it('tell a container from the way to its fields', () => {
    assert.deepEqual(setOf([['f:a'], ['f:a', 'f:b']]), { 'f:a': { '.': {}, 'f:b': {} } });
    assert.deepEqual(setOf([['f:a', 'f:b']]), { 'f:a': { 'f:b': {} } });
    assert.deepEqual(text([['f:a']]), ['f:a']);
  });
});

function configMaps(): StructType {
  const type = loadSchemas({ profile: 'orch' }).resource('', 'v1', 'configmaps')?.type;
  assert.ok(type);
  return type;
}

describe('field ownership of updates', () => {
  const type = configMaps();
  const configMap = (data: Record<string, string>, managedFields?: ManagedFieldsEntry[]): ApiObject =>
    decodeObject(type, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', ...(managedFields && { managedFields }) },
      data,
    }).object;

  /** Who owns what after a sequence of updates, each by a manager at a time. */
  function after(
    updates: { by: string; data: Record<string, string>; sent?: ManagedFieldsEntry[] }[],
  ): ApiObject {
    const states: ApiObject[] = [];
    for (const [i, { by, data, sent }] of updates.entries()) {
      const old = states.at(-1);
      const next = configMap(data, sent ?? old?.metadata.managedFields);
      const time = `2026-01-01T00:00:${String(i).padStart(2, '0')}Z`;
      updateOwnership({
        versions: singleVersion('v1', type),
        old,
        next,
        manager: by,
        apiVersion: 'v1',
        subresource: '',
        time,
        resetFields: {},
      });
      states.push(next);
    }
    return states.at(-1) as ApiObject;
  }
  function owned(object: ApiObject): Record<string, unknown> {
    const sets: Record<string, unknown> = {};
    for (const { manager = '', fieldsV1 } of object.metadata.managedFields ?? []) sets[manager] = fieldsV1;
    return sets;
  }

  it('gives a new object to its creator', () => {
    const made = after([{ by: 'a', data: { k: '1' } }]);
    assert.deepEqual(owned(made), { a: { 'f:data': { '.': {}, 'f:k': {} } } });
  });

  it('moves a changed field to who changed it, and takes a removed one from everybody', () => {
    const made = after([
      { by: 'a', data: { k: '1', l: '1', m: '1' } },
      { by: 'b', data: { k: '2', l: '1' } },
    ]);
    assert.deepEqual(owned(made), {
      a: { 'f:data': { '.': {}, 'f:l': {} } },
      b: { 'f:data': { 'f:k': {} } },
    });
  });

  it('drops a manager that has nothing left', () => {
    const made = after([
      { by: 'a', data: {} },
      { by: 'b', data: { k: '1' } },
      { by: 'a', data: {} },
    ]);
    assert.deepEqual(owned(made), {});
  });

  it('changes nothing, not even a time, when nothing changes', () => {
    const once = after([{ by: 'a', data: { k: '1' } }]);
    const twice = after([
      { by: 'a', data: { k: '1' } },
      { by: 'a', data: { k: '1' } },
      { by: 'b', data: { k: '1' } },
    ]);
    assert.equal(JSON.stringify(twice), JSON.stringify(once));
  });

  it('is reset by an empty list or one empty entry, and not by an unsound one', () => {
    const start = { by: 'a', data: { k: '1' } };
    assert.deepEqual(owned(after([start, { by: 'b', data: { k: '1' }, sent: [{}] }])), {});
    const kept = owned(after([start]));
    assert.deepEqual(owned(after([start, { by: 'b', data: { k: '1' }, sent: [] }])), {});
    assert.deepEqual(owned(after([start, { by: 'b', data: { k: '1' }, sent: [{ operation: 'X' }] }])), kept);
  });

  it('merges the oldest of more than ten managers', () => {
    const updates = Array.from({ length: 12 }, (_, i) => ({
      by: `m${String(i).padStart(2, '0')}`,
      data: Object.fromEntries(Array.from({ length: i + 1 }, (__, j) => [`k${j}`, '1'])),
    }));
    const managers = Object.keys(owned(after(updates)));
    assert.equal(managers.length, 10);
    assert.deepEqual(managers.slice(0, 2), ['ancient-changes', 'm03']);
  });

  it('merges 1,500 managers, and keeps what they own', () => {
    const managers = Array.from({ length: 1500 }, (_, i) => ({
      manager: `m${i}`,
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
    }));
    const capped = capUpdateManagers(managers);
    assert.equal(capped.length, 10);
    const fields = capped.map(({ fieldsV1 }) =>
      Object.keys((fieldsV1 as Record<string, object>)['f:data'] ?? {}),
    );
    assert.equal(new Set(fields.flat()).size, managers.length);
  });

  describe('with a record that the client sends', () => {
    const start = { by: 'a', data: { k: '1' } };
    const sent = (changes: Partial<ManagedFieldsEntry>): ManagedFieldsEntry => ({
      manager: 'x',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:k': {} } },
      ...changes,
    });
    const next = (record: ManagedFieldsEntry[]): Record<string, unknown> =>
      owned(after([start, { by: 'b', data: { k: '1', j: '2' }, sent: record }]));
    const b = { 'f:data': { 'f:j': {} } };

    it('takes it', () => assert.deepEqual(next([sent({})]), { x: { 'f:data': { 'f:k': {} } }, b }));

    it('takes the last of entries of one manager, and none that are empty', () => {
      const last = { 'f:metadata': { 'f:labels': { 'f:a': {} } } };
      assert.deepEqual(next([sent({}), sent({ fieldsV1: last }), sent({ manager: 'y', fieldsV1: {} })]), {
        x: last,
        b,
      });
    });

    for (const [name, changes] of [
      ['another operation', { operation: 'Foo' }],
      ['no version', { apiVersion: '' }],
      ['no type of set', { fieldsType: '' }],
      ['another type of set', { fieldsType: 'FieldsV2' }],
      ['a path element that is none', { fieldsV1: { 'f:data': { x: {} } } }],
      ['a list in a set', { fieldsV1: { 'f:data': [] } }],
    ] as const) {
      it(`ignores it with ${name}`, () =>
        assert.deepEqual(next([sent(changes as Partial<ManagedFieldsEntry>)]), {
          a: { 'f:data': { '.': {}, 'f:k': {} } },
          b,
        }));
    }
  });

  describe('through other endpoints and in other versions', () => {
    const update = (old: ApiObject, next: ApiObject, changes: Partial<OwnershipUpdate>): ApiObject => {
      const time = '2026-02-01T00:00:00Z';
      updateOwnership({
        versions: singleVersion('v1', type),
        old,
        next,
        manager: 'b',
        apiVersion: 'v1',
        subresource: '',
        time,
        resetFields: {},
        ...changes,
      });
      return next;
    };
    const old = (): ApiObject => after([{ by: 'a', data: { k: '1' } }]);

    it('takes no record through a subresource, and tells that the change came there', () => {
      const made = update(old(), configMap({ k: '2' }, [{}]), { subresource: 'status' });
      const [, entry] = made.metadata.managedFields ?? [];
      assert.deepEqual(
        [entry?.manager, entry?.subresource, entry?.fieldsV1],
        ['b', 'status', { 'f:data': { 'f:k': {} } }],
      );
    });

    it('owns nothing that the endpoint resets', () => {
      const before = old();
      const made = update(before, configMap({ k: '2' }), { resetFields: { 'f:data': {} } });
      assert.deepEqual(made.metadata.managedFields, before.metadata.managedFields);
    });

    it('takes changed fields from managers of other versions as those versions have them', () => {
      const other = { manager: 'z', operation: 'Update', apiVersion: 'v2', fieldsType: 'FieldsV1' };
      const record = [
        { ...other, fieldsV1: { 'f:data': { 'f:K': {}, 'f:L': {} } } },
        { ...other, manager: 'gone', apiVersion: 'v9', fieldsV1: { 'f:data': { 'f:k': {} } } },
      ];
      const upperCase = (object: ApiObject): ApiObject => ({
        ...object,
        data: Object.fromEntries(
          Object.entries(object['data'] ?? {}).map(([k, v]) => [k.toUpperCase(), v as string]),
        ),
      });
      const made = update(configMap({ k: '1', l: '1' }, record), configMap({ k: '2', l: '1' }), {
        versions: {
          typeIn: (version) => (version === 'v9' ? undefined : type),
          convert: (object) => upperCase(object),
        },
      });
      assert.deepEqual(owned(made), { z: { 'f:data': { 'f:L': {} } }, b: { 'f:data': { 'f:k': {} } } });
    });

    it('keeps times when nothing but them has changed', () => {
      const before = old();
      const later = structuredClone(before);
      for (const entry of later.metadata.managedFields ?? []) entry.time = '2026-03-01T00:00:00Z';
      keepTimesOfNoChange(later, before);
      assert.deepEqual(later.metadata.managedFields, before.metadata.managedFields);
      const changed = { ...structuredClone(later), data: { k: '9' } };
      for (const entry of changed.metadata.managedFields ?? []) entry.time = '2026-03-01T00:00:00Z';
      keepTimesOfNoChange(changed, before);
      assert.equal(changed.metadata.managedFields?.[0]?.time, '2026-03-01T00:00:00Z');
    });
  });
});
