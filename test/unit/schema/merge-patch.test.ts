import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/object.ts';
import { mergePatch } from '../../../src/schema/patch/merge-patch.ts';

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe('merge patch', () => {
  // The examples of RFC 7396, appendix A, and more.
  for (const [target, patch, result] of [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{}', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
    ['{"a":[1]}', '{"a":[null,{"b":null,"c":[{"d":null}]}]}', '{"a":[null,{"c":[{}]}]}'],
  ] as const) {
    it(`${target} + ${patch}`, () => {
      assert.equal(JSON.stringify(mergePatch(parse(target), parse(patch))), result);
    });
  }
});
