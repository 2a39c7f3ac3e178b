import assert from 'node:assert/strict';
import { ListReader } from '../../../src/client/request/list-reader.ts';
import { collect } from './memory-transport.ts';
import { readLines } from '../../../src/client/request/lines.ts';

const LIST = `{ "kind": "PodList", "apiVersion":"v1","odd":[1,{"items":[0]}],"metadata":{"resourceVersion":"7","items":[9]},
  "items" : [ {"a":"x,]}\\\\\\"{","b":[{},[]]}, {"n":12345678901234567890,"é":"ü€😀"} ,{} ], "after": "items" }\n`;

function read(text: string, size: number, items?: 'items' | 'rows'): { items: unknown[]; head: object } {
  const bytes = Buffer.from(text);
  const reader = new ListReader(items);
  const found: unknown[] = [];
  for (let from = 0; from < bytes.length; from += size)
    found.push(...reader.push(bytes.subarray(from, from + size)));
  return { items: found, head: { ...reader.end() } };
}

describe('ListReader', () => {
  it('gives the items and the other fields, wherever the pieces end', () => {
    for (let size = 1; size <= LIST.length; size++) {
      const { items, head } = read(LIST, size);
      assert.deepEqual(items, [{ a: 'x,]}\\"{', b: [{}, []] }, { n: 12345678901234567890n, é: 'ü€😀' }, {}]);
      assert.deepEqual(head, {
        kind: 'PodList',
        apiVersion: 'v1',
        odd: [1, { items: [0] }],
        metadata: { resourceVersion: '7', items: [9] },
        after: 'items',
      });
    }
  });

  it('gives items before the list ends, and knows what came before them', () => {
    const reader = new ListReader();
    assert.deepEqual(reader.push(Buffer.from('{"kind":"X","items":[{"a":1},{"a"')), [{ a: 1 }]);
    assert.equal(reader.head['kind'], 'X');
    assert.throws(() => reader.end(), /breaks off/);
  });

  it('reads empty lists, lists without items, and rows of tables', () => {
    const cases: [string, 'items' | 'rows', unknown[]][] = [
      ['{"items":[]}', 'items', []],
      ['{"items":null}', 'items', []],
      ['{}', 'items', []],
      ['{"rows":[{"cells":[1]}],"items":[{}]}', 'rows', [{ cells: [1] }]],
    ];
    for (const [text, items, expected] of cases) assert.deepEqual(read(text, 3, items).items, expected, text);
  });

  it('refuses what is no list in JSON', () => {
    for (const text of ['', 'not found', '[1]', '{"items":[{]}', '{"items":[{}]', '{"a" 1}', '{}{}']) {
      assert.throws(() => read(text, 100), SyntaxError, text);
    }
  });
});

describe('readLines', () => {
  it('gives each line when it is complete, wherever the pieces end', async () => {
    const bytes = Buffer.from('{"a":"é"}\n\n{"b":1}\nrest');
    for (let size = 1; size <= bytes.length; size++) {
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (let from = 0; from < bytes.length; from += size)
          yield await Promise.resolve(bytes.subarray(from, from + size));
      }
      assert.deepEqual(await collect(readLines(pieces())), ['{"a":"é"}', '{"b":1}']);
    }
  });
});
