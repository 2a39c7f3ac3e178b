import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ApiObject, Json, JsonObject } from '../../src/meta/object.ts';
import { decodeObject } from '../../src/schema/codec/decode.ts';
import { applyConfiguration, type Applied } from '../../src/schema/merge/apply-configuration.ts';
import type { FieldSet } from '../../src/schema/ownership/field-set.ts';
import { keepTimesOfNoChange, updateOwnership } from '../../src/schema/ownership/update-ownership.ts';
import { singleVersion } from '../support/field-sets.ts';
import { lawRuns } from '../support/laws.ts';
import { field, struct, structOf } from '../support/types.ts';
import { applied, conflicts, ITEM, updated, type Leaves, type ModelState } from './ownership-model.ts';

const TYPE = struct([
  field('kind', 'string', { number: 0 }),
  field('apiVersion', 'string', { number: 0 }),
  field('metadata', structOf([field('managedFields', { kind: 'list', items: { kind: 'json' } })])),
  field('text', 'string'),
  field('inner', structOf([field('a', 'string'), field('b', 'string')]), { pointer: true }),
  field('map', { kind: 'map', values: { kind: 'string' } }),
  field('set', { kind: 'list', items: { kind: 'string' }, listType: 'set' }),
  field('list', { kind: 'list', items: { kind: 'string' } }),
  field('named', {
    kind: 'list',
    items: structOf([
      field('name', 'string', { omitEmpty: false }),
      field('x', 'string'),
      field('y', 'string'),
    ]),
    listType: 'map',
    mapKeys: ['name'],
  }),
]);
const VERSION = 'v1';

const value = fc.constantFrom('1', '2');
const key = fc.constantFrom('a', 'b', 'c');
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const item = fc.record({ name: key, x: optional(value), y: optional(value) });
const content = fc
  .record({
    text: optional(value),
    inner: optional(fc.record({ a: optional(value), b: optional(value) })),
    map: optional(fc.dictionary(key, value, { maxKeys: 3 })),
    set: optional(fc.uniqueArray(key, { maxLength: 3 })),
    list: optional(fc.array(key, { minLength: 1, maxLength: 3 })),
    named: optional(fc.uniqueArray(item, { maxLength: 3, selector: ({ name }) => name })),
  })
  // Containers that hold nothing are beyond the model.
  .map((parts) => {
    const told = JSON.parse(JSON.stringify(parts)) as JsonObject;
    return Object.fromEntries(Object.entries(told).filter(([, one]) => Object.keys(one ?? {}).length > 0));
  });
const step = fc.record({
  by: fc.constantFrom('m1', 'm2', 'm3'),
  what: fc.constantFrom('apply', 'apply', 'force', 'update'),
  content,
});

/** An object and its record, made by ours. */
class World {
  object: ApiObject | undefined;
  #seconds = 0;

  update(manager: string, next: JsonObject): void {
    const object = this.#decode(next);
    updateOwnership({ ...this.#ownership(manager), old: this.object, next: object });
    this.object = object;
  }

  apply(manager: string, configuration: JsonObject, force: boolean): Applied {
    const sent = { ...configuration, kind: 'Thing', apiVersion: VERSION };
    const old = this.object;
    const outcome = applyConfiguration({
      ...this.#ownership(manager),
      type: TYPE,
      old,
      applied: sent,
      force,
    });
    if (outcome.conflicts.length > 0) return outcome;
    const object = this.#decode(outcome.object ?? old ?? {});
    delete object.metadata.managedFields;
    if (outcome.managers.length > 0) object.metadata.managedFields = [...outcome.managers];
    if (old !== undefined) keepTimesOfNoChange(object, old);
    this.object = object;
    return outcome;
  }

  #decode(content: JsonObject): ApiObject {
    return decodeObject(TYPE, { ...content, kind: 'Thing', apiVersion: VERSION }).object;
  }

  #ownership(manager: string) {
    const time = `2026-01-01T00:00:${String(this.#seconds++).padStart(2, '0')}Z`;
    return {
      manager,
      apiVersion: VERSION,
      subresource: '',
      time,
      resetFields: {},
      versions: singleVersion(VERSION, TYPE),
    };
  }
}

/** An object as the model sees it. */
function leavesOf(object: JsonObject | undefined): Leaves {
  const leaves = new Map<string, string>();
  const members = (path: string, inside: Json | undefined): void => {
    for (const [name, one] of Object.entries((inside ?? {}) as JsonObject))
      leaves.set(`${path}/${name}`, JSON.stringify(one));
  };
  const { text, inner, map, set, list, named } = object ?? {};
  if (text !== undefined) leaves.set('text', JSON.stringify(text));
  if (list !== undefined && list !== null) leaves.set('list', JSON.stringify(list));
  members('inner', inner);
  members('map', map);
  for (const one of (set ?? []) as string[]) leaves.set(`set/${one}`, '');
  for (const one of (named ?? []) as { name: string }[]) {
    leaves.set(`named/${one.name}${ITEM}`, '');
    members(`named/${one.name}`, one);
  }
  for (const path of [...leaves.keys()]) if (path.includes('/')) leaves.set(path.split('/')[0] as string, '');
  return leaves;
}

/** A record as the model sees it. */
function ownersOf(object: ApiObject | undefined): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>();
  for (const { manager, operation, fieldsV1 = {} } of object?.metadata.managedFields ?? []) {
    const paths = new Set(pathsOf(fieldsV1));
    if (paths.size > 0) owners.set(`${manager} ${operation}`, paths);
  }
  return owners;
}

function* pathsOf(set: FieldSet, above = ''): Generator<string> {
  for (const [element, child] of Object.entries(set) as [string, FieldSet][]) {
    if (element === '.') continue;
    const path = above + nameOf(element);
    const isItem = element.startsWith('k:');
    if (child['.'] !== undefined || Object.keys(child).length === 0) yield isItem ? `${path}${ITEM}` : path;
    yield* pathsOf(child, `${path}/`);
  }
}

function nameOf(element: string): string {
  if (element.startsWith('f:')) return element.slice(2);
  const identity = JSON.parse(element.slice(2)) as string | { name: string };
  return typeof identity === 'string' ? identity : identity.name;
}

const sorted = (owners: ModelState['owners']): [string, string[]][] =>
  [...owners].map(([owner, paths]): [string, string[]] => [owner, [...paths].sort()]).sort();

describe('the laws of ownership', function () {
  this.timeout(600_000);

  it('after any applies and updates by three managers, ownership is what a naive model says', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const world = new World();
        let model: ModelState = { leaves: new Map(), owners: new Map() };
        for (const { by, what, content } of steps) {
          const leaves = leavesOf(content);
          if (what === 'update') {
            // An object without a record has lost it on purpose.
            if (world.object !== undefined && world.object.metadata.managedFields === undefined) return;
            world.update(by, content);
            model = updated(model, by, leaves);
          } else {
            const expected = what === 'force' ? [] : conflicts(model, by, leaves);
            const outcome = world.apply(by, content, what === 'force');
            const found = outcome.conflicts.flatMap(({ owner, fields }) =>
              [...pathsOf(fields)].map((path) => `${owner.manager} ${owner.operation} ${path}`),
            );
            assert.deepEqual(found.sort(), expected.sort());
            if (expected.length === 0) model = applied(model, by, leaves);
          }
          assert.deepEqual(leavesOf(world.object), model.leaves);
          assert.deepEqual(sorted(ownersOf(world.object)), sorted(model.owners));
        }
      }),
      { numRuns: lawRuns() },
    );
  });

  it('applying twice is applying once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), step, (steps, { by, content }) => {
        const world = new World();
        for (const { by, what, content } of steps) {
          if (what === 'update') world.update(by, content);
          else world.apply(by, content, true);
        }
        world.apply(by, content, true);
        const once = structuredClone(world.object);
        const again = world.apply(by, content, false);
        assert.deepEqual(again.conflicts, []);
        assert.equal(JSON.stringify(world.object), JSON.stringify(once));
      }),
      { numRuns: lawRuns() },
    );
  });
});
