import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/meta/object.ts';
import { loadSchemas } from '../../../src/schema/load.ts';
import { strategicMerge } from '../../../src/schema/patch/strategic-merge.ts';

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe('strategic merge patch', () => {
  const type = loadSchemas({ profile: 'orch' }).resource('', 'v1', 'pods')?.type;
  assert.ok(type);
  const merge = (original: JsonObject, patch: JsonObject): Json =>
    strategicMerge(type, structuredClone(original), structuredClone(patch));
  const spec = (fields: JsonObject): JsonObject => ({ spec: fields });
  const meta = (fields: JsonObject): JsonObject => ({ metadata: fields });

  const cases: [name: string, original: JsonObject, patch: JsonObject, result: JsonObject][] = [
    ['sets, adds and removes scalars', { a: 1, b: 2 }, { a: 3, b: null, c: 4 }, { a: 3, c: 4 }],
    [
      'merges list items by their key, new ones first',
      spec({ containers: [{ name: 'c', image: 'i:1', tty: true }] }),
      spec({
        containers: [
          { name: 'n', image: 'j' },
          { name: 'c', image: 'i:2' },
        ],
      }),
      spec({
        containers: [
          { name: 'n', image: 'j' },
          { name: 'c', image: 'i:2', tty: true },
        ],
      }),
    ],
    [
      'replaces lists without a merge strategy',
      spec({ tolerations: [{ key: 'x' }] }),
      spec({ tolerations: [{ key: 'y' }] }),
      spec({ tolerations: [{ key: 'y' }] }),
    ],
    [
      'deletes an item and ignores one that is not there',
      spec({ containers: [{ name: 'a' }, { name: 'b' }] }),
      spec({
        containers: [
          { name: 'a', $patch: 'delete' },
          { name: 'z', $patch: 'delete' },
        ],
      }),
      spec({ containers: [{ name: 'b' }] }),
    ],
    [
      'replaces a whole list on demand',
      spec({ containers: [{ name: 'a' }] }),
      spec({ containers: [{ $patch: 'replace' }, { name: 'b' }] }),
      spec({ containers: [{ name: 'b' }] }),
    ],
    [
      'replaces a map on demand',
      spec({ nodeSelector: { a: '1', b: '2' } }),
      spec({ nodeSelector: { $patch: 'replace', c: '3' } }),
      spec({ nodeSelector: { c: '3' } }),
    ],
    [
      'empties a map on demand',
      spec({ nodeSelector: { a: '1' } }),
      spec({ nodeSelector: { $patch: 'delete' } }),
      spec({ nodeSelector: {} }),
    ],
    [
      'keeps only the named fields',
      spec({ volumes: [{ name: 'v', emptyDir: {} }] }),
      spec({ volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'q' } }] }),
      spec({ volumes: [{ name: 'v', configMap: { name: 'q' } }] }),
    ],
    [
      'merges lists of scalars without repeating them',
      meta({ finalizers: ['a/1', 'a/2'] }),
      meta({ finalizers: ['a/3', 'a/1'] }),
      meta({ finalizers: ['a/3', 'a/1', 'a/2'] }),
    ],
    [
      'takes scalars out of a list',
      meta({ finalizers: ['a/1', 'a/2'] }),
      meta({ '$deleteFromPrimitiveList/finalizers': ['a/1'] }),
      meta({ finalizers: ['a/2'] }),
    ],
    [
      'orders a list of scalars, keeping what the order does not name where it was',
      meta({ finalizers: ['a/1', 'a/2', 'a/9'] }),
      meta({ '$setElementOrder/finalizers': ['a/3', 'a/2', 'a/1'], finalizers: ['a/3'] }),
      meta({ finalizers: ['a/3', 'a/2', 'a/1', 'a/9'] }),
    ],
    [
      'orders a list of objects that the patch does not change',
      spec({ containers: [{ name: 'a' }, { name: 'b' }] }),
      spec({ '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] }),
      spec({ containers: [{ name: 'b' }, { name: 'a' }] }),
    ],
    [
      'takes a value that meets nothing without nulls and without what only directs',
      {},
      spec({
        affinity: { $patch: 'replace', nodeAffinity: {} },
        containers: [
          { name: 'a', image: null, env: [null, { name: 'E', $patch: 'delete' }] },
          { name: 'b', $patch: 'delete' },
        ],
      }),
      spec({ containers: [{ name: 'a', env: [null] }] }),
    ],
    [
      'leaves directives that have nothing to direct, for field validation to find',
      spec({ containers: [{ name: 'a' }] }),
      spec({
        containers: [{ name: 'n', $retainKeys: ['name'], env: [{ name: 'E', $patch: 'delete' }], tty: null }],
        nodeSelector: { $retainKeys: ['x'] },
      }),
      spec({
        containers: [
          { name: 'n', $retainKeys: ['name'], env: [{ name: 'E', $patch: 'delete' }], tty: null },
          { name: 'a' },
        ],
        nodeSelector: { $retainKeys: ['x'] },
      }),
    ],
    [
      'replaces an object by what the patch has, as it is',
      spec({ securityContext: { runAsUser: 1, fsGroup: 2 } }),
      spec({ securityContext: { $patch: 'replace', fsGroup: null, seLinuxOptions: { $patch: 'delete' } } }),
      spec({ securityContext: { fsGroup: null, seLinuxOptions: { $patch: 'delete' } } }),
    ],
    [
      'replaces a list by what the patch has, without merging its items',
      spec({ containers: [{ name: 'a' }] }),
      spec({ containers: [{ name: 'n', tty: true }, { $patch: 'replace', name: 'x' }, { name: 'n' }] }),
      spec({ containers: [{ name: 'n', tty: true }, { name: 'n' }] }),
    ],
    [
      'puts an item that is deleted and set anew in front',
      spec({ containers: [{ name: 'a' }, { name: 'b', tty: true }] }),
      spec({
        containers: [
          { name: 'b', image: 'i' },
          { name: 'b', $patch: 'delete' },
        ],
      }),
      spec({ containers: [{ name: 'b', image: 'i' }, { name: 'a' }] }),
    ],
    [
      'merges items with the same key in the patch, too',
      spec({ containers: [{ name: 'a' }] }),
      spec({
        containers: [
          { name: 'n', tty: true },
          { name: 'n', image: 'i' },
        ],
      }),
      spec({ containers: [{ name: 'n', tty: true, image: 'i' }, { name: 'a' }] }),
    ],
    [
      'merges ports by number alone, the first that has it',
      spec({
        containers: [
          {
            name: 'a',
            ports: [
              { containerPort: 80, protocol: 'TCP' },
              { containerPort: 80, protocol: 'UDP' },
            ],
          },
        ],
      }),
      spec({ containers: [{ name: 'a', ports: [{ containerPort: 80, protocol: 'UDP', name: 'x' }] }] }),
      spec({
        containers: [
          {
            name: 'a',
            ports: [
              { containerPort: 80, protocol: 'UDP', name: 'x' },
              { containerPort: 80, protocol: 'UDP' },
            ],
          },
        ],
      }),
    ],
    [
      'deletes every port with a number',
      spec({
        containers: [
          {
            name: 'a',
            ports: [
              { containerPort: 80, protocol: 'TCP' },
              { containerPort: 80, protocol: 'UDP' },
            ],
          },
        ],
      }),
      spec({ containers: [{ name: 'a', ports: [{ containerPort: 80, $patch: 'delete' }] }] }),
      spec({ containers: [{ name: 'a', ports: [] }] }),
    ],
    [
      'orders items that the patch names, and lets a new one take the place of a deleted one behind the others',
      spec({ containers: [{ name: 'app' }, { name: 'injected' }] }),
      spec({
        '$setElementOrder/containers': [{ name: 'app2' }],
        containers: [{ name: 'app2' }, { name: 'app', $patch: 'delete' }],
      }),
      spec({ containers: [{ name: 'injected' }, { name: 'app2' }] }),
    ],
    [
      'takes an order for no order when it is empty',
      meta({ finalizers: ['a/1', 'a/2'] }),
      meta({ '$setElementOrder/finalizers': [], finalizers: ['a/2'] }),
      meta({ finalizers: ['a/1', 'a/2'] }),
    ],
    [
      'orders a list that is not there yet',
      spec({}),
      spec({
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
        containers: [{ name: 'b' }, { name: 'c', $patch: 'delete' }, { name: 'a' }],
      }),
      spec({ containers: [{ name: 'b' }, { name: 'a' }] }),
    ],
    [
      'orders lists without a merge strategy after replacing them',
      spec({ containers: [{ name: 'a', args: ['x', 'y'] }] }),
      spec({ containers: [{ name: 'a', '$setElementOrder/args': ['z', 'y'], args: ['z', 'y'] }] }),
      spec({ containers: [{ name: 'a', args: ['z', 'y'] }] }),
    ],
    [
      'deletes after ordering, so that what is added and deleted is gone',
      meta({ finalizers: ['a/1', 'a/2'] }),
      meta({
        '$setElementOrder/finalizers': ['a/9', 'a/2'],
        '$deleteFromPrimitiveList/finalizers': ['a/9', 'a/1'],
        finalizers: ['a/9'],
      }),
      meta({ finalizers: ['a/2'] }),
    ],
    [
      'deletes a list for null, nothing for what is no list, nothing from what is not there',
      meta({ finalizers: ['a/1'], name: 'n' }),
      meta({
        '$deleteFromPrimitiveList/finalizers': null,
        '$deleteFromPrimitiveList/labels': ['x'],
        '$deleteFromPrimitiveList/name': ['n'],
      }),
      meta({ name: 'n' }),
    ],
    [
      'replaces a value by one of another type',
      spec({ nodeSelector: { a: 'b' }, containers: [{ name: 'a' }] }),
      spec({ nodeSelector: 'x', containers: { name: 'b', tty: null } }),
      spec({ nodeSelector: 'x', containers: { name: 'b' } }),
    ],
    [
      'takes an item for deleted only when its key says so',
      spec({ volumes: [{ name: 'v' }] }),
      spec({ volumes: [] }),
      spec({ volumes: [{ name: 'v' }] }),
    ],
    [
      'treats prototype names as plain keys',
      meta({ labels: parse('{"constructor":"a"}') }),
      meta({ labels: parse('{"__proto__":"b"}') }),
      meta({ labels: parse('{"constructor":"a","__proto__":"b"}') }),
    ],
  ];
  for (const [name, original, patch, result] of cases) {
    it(name, () => assert.equal(JSON.stringify(merge(original, patch)), JSON.stringify(result)));
  }

  const refused: [name: string, patch: JsonObject, message: RegExp][] = [
    ['an item without its merge key', spec({ containers: [{ image: 'x' }] }), /lacks its merge key "name"/],
    [
      'an unknown directive in an item',
      spec({ containers: [{ name: 'c', $patch: 'x' }] }),
      /unknown \$patch directive "x"/,
    ],
    [
      'an unknown directive in a map',
      spec({ nodeSelector: { $patch: 'merge' } }),
      /unknown \$patch directive "merge"/,
    ],
    ['scalars among objects', spec({ containers: ['c'] }), /must be of one type/],
    ['retained keys that are no list', spec({ $retainKeys: 'x' }), /must be a list/],
    [
      'a patched field that is not retained',
      spec({ $retainKeys: ['a'], b: 1 }),
      /doesn't name the patched field "b"/,
    ],
    ['an order that is no list', meta({ '$setElementOrder/finalizers': 1 }), /must be a list/],
    [
      'an order that lacks a patched item',
      meta({ '$setElementOrder/finalizers': ['b'], finalizers: ['a'] }),
      /order of/,
    ],
    [
      'an order other than the patch has',
      meta({ '$setElementOrder/finalizers': ['b', 'a'], finalizers: ['a', 'b'] }),
      /order of/,
    ],
    ['an order of what is no list', spec({ '$setElementOrder/nodeSelector': [] }), /there is no such list/],
    ['an order of an unknown list', spec({ '$setElementOrder/nope': [] }), /there is no such list/],
    ['an order without merge keys', spec({ '$setElementOrder/containers': ['c'] }), /lacks its merge key/],
    [
      'an order of objects without a merge key',
      spec({ '$setElementOrder/tolerations': [{ key: 'k' }] }),
      /without a merge key have no order/,
    ],
    [
      'a patch to order that is no list',
      spec({ '$setElementOrder/containers': [], containers: null }),
      /is no list/,
    ],
    ['a directive without its list', spec({ $setElementOrder: [] }), /is no directive/],
    [
      'a directive that is spelled wrong',
      meta({ '$deleteFromPrimitiveListX/finalizers': [] }),
      /is no directive/,
    ],
    [
      'deletions of another type',
      meta({ '$deleteFromPrimitiveList/finalizers': [1] }),
      /must be of one type/,
    ],
    ['null among scalars', meta({ finalizers: [null] }), /must be of one type/],
    ['null as directive', spec({ nodeSelector: { $patch: null } }), /unknown \$patch directive null/],
    ['a deletion without a merge key', spec({ containers: [{ $patch: 'delete' }] }), /lacks its merge key/],
  ];
  const original = {
    ...spec({ containers: [{ name: 'c' }], nodeSelector: { a: 'b' }, tolerations: [{ key: 'k' }] }),
    ...meta({ finalizers: ['a'] }),
  };
  for (const [name, patch, message] of refused) {
    it(`refuses ${name}`, () => assert.throws(() => merge(original, patch), { code: 400, message }));
  }

  it('refuses lists of lists as unprocessable', () =>
    assert.throws(() => merge(meta({ finalizers: [] }), meta({ finalizers: [['a']] })), { code: 422 }));

  it('merges 1,000 items into 1,000 others', () => {
    const items = (from: number): JsonObject[] =>
      Array.from({ length: 1000 }, (_, i) => ({ name: `v${from + i}`, image: 'i' }));
    const order = items(0).reverse();
    const patch = { '$setElementOrder/containers': order, containers: items(500).reverse().slice(500) };
    const merged = merge(spec({ containers: items(0) }), spec(patch)) as {
      spec: { containers: JsonObject[] };
    };
    assert.deepEqual(merged.spec.containers, order);
  });
});
