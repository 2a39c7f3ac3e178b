import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactJson } from '../../src/lib/exact-json.ts';
import type { Json, JsonObject } from '../../src/meta/object.ts';
import { sameJson } from '../../src/meta/same-json.ts';
import { applyJsonPatch } from '../../src/schema/patch/json-patch.ts';
import { mergePatch } from '../../src/schema/patch/merge-patch.ts';
import { strategicMerge } from '../../src/schema/patch/strategic-merge.ts';
import { arbitraryObject } from '../support/arbitrary-objects.ts';
import { lawRuns } from '../support/laws.ts';
import { naiveJsonPatch, type Operation } from '../support/naive-json-patch.ts';
import { openSchemas } from '../support/schemas.ts';
import { patchable, strategicDiff } from '../support/strategic-diff.ts';

const runs = { numRuns: lawRuns() };

function assertSame(actual: Json, expected: Json): void {
  assert.ok(sameJson(actual, expected), `${exactJson(actual)}\n  should be\n${exactJson(expected)}`);
}

describe('a strategic merge patch', function () {
  this.timeout(0);
  const { registry } = openSchemas('kubernetes', 'all');
  const types = registry
    .groups()
    .flatMap(({ name, versions }) => versions.flatMap((version) => registry.resourcesOf(name, version)))
    .map(({ type }) => type);
  const changes = fc.constantFrom(...types).chain((type) =>
    fc.tuple(arbitraryObject(type), arbitraryObject(type), fc.integer()).map(([a, b, seed]) => {
      const from = patchable(type, a);
      return { type, from, to: patchable(type, blend(from, b, seed)) };
    }),
  );

  it('that tells the difference makes one object of the other, also when it comes twice', () => {
    fc.assert(
      fc.property(changes, ({ type, from, to }) => {
        const patch = strategicDiff(type, from, to);
        const once = strategicMerge(type, structuredClone(from), structuredClone(patch));
        assertSame(once, to);
        assertSame(strategicMerge(type, once, patch), to);
      }),
      runs,
    );
  });

  it('that replaces everything leaves what it says', () => {
    fc.assert(
      fc.property(changes, ({ type, from, to }) => {
        assertSame(strategicMerge(type, from, { ...structuredClone(to), $patch: 'replace' }), to);
      }),
      runs,
    );
  });
});

/** An object with some members of one and some of another. */
function blend(a: JsonObject, b: JsonObject, seed: number): JsonObject {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const blended = names.map((name, i): [string, Json] => {
    const [mine, other] = [a, b].map((object) => (Object.hasOwn(object, name) ? object[name] : undefined));
    if (isObject(mine) && isObject(other)) return [name, blend(mine, other, seed)];
    return [name, structuredClone(((seed >> (i % 31)) & 1 ? (other ?? mine) : (mine ?? other)) ?? null)];
  });
  return Object.fromEntries(blended);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Few names, so that documents have members in common. */
const name = fc.constantFrom('a', 'b', 'c/d', 'e~f', '0', '-', '__proto__', 'constructor');
const { document, value } = fc.letrec<{ document: JsonObject; value: Json }>((tie) => ({
  document: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json[]>(null, true, 0, 1, '', 'x'),
    tie('document'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

describe('a merge patch', function () {
  this.timeout(0);

  it('makes what the algorithm of RFC 7396 makes', () => {
    fc.assert(
      fc.property(value, document, (target, patch) => {
        assertSame(
          mergePatch(structuredClone(target), structuredClone(patch)),
          rfc7396(target, withoutNullsInLists(patch)),
        );
      }),
      runs,
    );
  });

  it('that tells the difference makes one document of the other', () => {
    fc.assert(
      fc.property(document, document, (from, there) => {
        const to = withoutNulls(there) as JsonObject;
        assertSame(mergePatch(structuredClone(from), difference(from, to)), to);
      }),
      runs,
    );
  });
});

/** RFC 7396, section 2. */
function rfc7396(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, inner = null] of Object.entries(patch)) {
    if (inner === null) members.delete(key);
    else members.set(key, rfc7396(members.get(key) ?? null, inner));
  }
  return Object.fromEntries(members);
}

function difference(from: JsonObject, to: JsonObject): JsonObject {
  const patch = new Map<string, Json>();
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) patch.set(key, null);
  for (const [key, inner = null] of Object.entries(to)) {
    const old = Object.hasOwn(from, key) ? from[key] : undefined;
    if (isObject(old) && isObject(inner)) patch.set(key, difference(old, inner));
    else if (!sameJson(old, inner)) patch.set(key, structuredClone(inner));
  }
  return Object.fromEntries(patch);
}

/** Merge patches can't set members to null, not even those of objects in lists. */
function withoutNulls(from: Json): Json {
  if (Array.isArray(from)) return from.map(withoutNulls);
  if (!isObject(from)) return from;
  const members = Object.entries(from).filter(([, inner]) => inner !== null);
  return Object.fromEntries(members.map(([key, inner]) => [key, withoutNulls(inner ?? null)]));
}

function withoutNullsInLists(from: Json): Json {
  if (Array.isArray(from)) return from.map(withoutNulls);
  if (!isObject(from)) return from;
  return Object.fromEntries(
    Object.entries(from).map(([key, inner]) => [key, withoutNullsInLists(inner ?? null)]),
  );
}

describe('a JSON patch', function () {
  this.timeout(0);
  const escaped = name.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
  const step = fc.oneof(escaped, fc.constantFrom('0', '1', '2', '-', '-1', '-2', '01', 'x', ''));
  const pointer = fc.array(step, { maxLength: 3 }).map((steps) => steps.map((each) => `/${each}`).join(''));
  const operation: fc.Arbitrary<Operation> = fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path: pointer,
    from: pointer,
    value,
  });

  it('makes what a naive implementation makes, or is refused as there', () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 4 }), (target, operations) => {
        const expected = outcome(() => naiveJsonPatch(target, operations));
        const actual = outcome(() =>
          applyJsonPatch(structuredClone(target), structuredClone(operations) as unknown as Json),
        );
        if (expected === undefined)
          assert.equal(actual, undefined, `should be refused: ${exactJson(operations)}`);
        else assertSame(actual ?? 'was refused', expected);
      }),
      { numRuns: runs.numRuns * 5 },
    );
  });
});

/** @returns undefined when it is refused. */
function outcome(patch: () => Json): Json | undefined {
  try {
    return patch();
  } catch {
    return undefined;
  }
}
