import assert from 'node:assert/strict';
import type { Json } from '../../../src/meta/object.ts';
import { sameContent } from '../../../src/registry/generation.ts';

describe('what an object asks for', () => {
  const slice = (fields: Record<string, Json>): Parameters<typeof sameContent>[0] => ({
    kind: 'EndpointSlice',
    apiVersion: 'discovery.orch.io/v1',
    metadata: { name: String(Object.keys(fields).length) },
    ...fields,
  });

  for (const [title, a, b, same] of [
    ['null and an empty list', { endpoints: null }, { endpoints: [] }, true],
    ['nothing and an empty list', {}, { ports: [] }, true],
    ['an empty object and nothing', { spec: {} }, {}, true],
    ['another status', { status: { a: 1 } }, { status: { a: 2 } }, true],
    ['nothing and false', {}, { immutable: false }, false],
    ['an item more', { ports: [] }, { ports: [{ port: 1 }] }, false],
    ['a field that is gone', { spec: { a: 1 } }, {}, false],
  ] as const) {
    it(`is ${same ? 'the same' : 'not the same'} with ${title}`, () => {
      assert.equal(sameContent(slice(a as Record<string, Json>), slice(b as Record<string, Json>)), same);
      assert.equal(sameContent(slice(b as Record<string, Json>), slice(a as Record<string, Json>)), same);
    });
  }
});
