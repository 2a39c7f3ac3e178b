import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/object.ts';
import type { DocumentShapes } from '../../../src/schema/openapi/protobuf/shapes.ts';
import { V2_SHAPES } from '../../../src/schema/openapi/protobuf/shapes-v2.ts';
import { V3_SHAPES } from '../../../src/schema/openapi/protobuf/shapes-v3.ts';
import { writeDocument } from '../../../src/schema/openapi/protobuf/write.ts';

/** A message as its fields in order: number, then what is in it, messages as lists of their own. */
type Fields = (number | string | boolean | Fields)[];

/** Where nested messages are, by the numbers on the way; all else that has a length is text. */
type Nested = { readonly [number: number]: Nested };

function read(bytes: Buffer, nested: Nested): Fields {
  const fields: Fields = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = tag >>> 3;
    fields.push(number);
    if ((tag & 7) === 0) fields.push(varint());
    else if ((tag & 7) === 1) fields.push(bytes.readDoubleLE((at += 8) - 8));
    else {
      const length = varint();
      const content = bytes.subarray(at, (at += length));
      const inner = nested[number];
      fields.push(inner === undefined ? content.toString() : read(content, inner));
    }
  }
  return fields;
}

function write(document: JsonObject, shapes: DocumentShapes): Buffer {
  const writing = writeDocument(document, shapes);
  for (;;) {
    const { done, value } = writing.next();
    if (done === true) return value;
  }
}

/** A message without messages in it. */
const LEAF: Nested = {};

describe('OpenAPI documents as Protobuf', () => {
  it('v2: have the messages that clients know', () => {
    const ref = { $ref: '#/definitions/A' };
    const document = {
      swagger: '2.0',
      info: { version: '1', title: 't' },
      paths: {
        '/p': {
          get: {
            tags: ['a', 'b'],
            operationId: 'id',
            parameters: [
              { $ref: '#/parameters/q' },
              { name: 'body', in: 'body', required: true, schema: ref },
            ],
            responses: { 200: { description: 'OK', schema: ref } },
            'x-action': 'list',
          },
        },
      },
      definitions: {
        A: {
          type: 'object',
          required: ['l'],
          properties: { l: { type: 'array', items: ref, default: [] } },
          additionalProperties: { type: 'number', maximum: 1.5 },
          'x-kind': [{ kind: 'A' }],
        },
      },
      parameters: { q: { uniqueItems: true, type: 'string', name: 'q', in: 'query' } },
      security: [{ token: [] }],
      securityDefinitions: { token: { type: 'apiKey', name: 'n', in: 'header' } },
    };
    const schema: Nested = {
      5: LEAF,
      21: { 1: { 22: LEAF } },
      22: LEAF,
      23: { 1: LEAF },
      25: { 1: { 2: { 5: LEAF, 22: LEAF, 23: { 1: LEAF } } } },
      31: { 2: LEAF },
    };
    const parameters: Nested = { 1: { 1: { 5: LEAF } }, 2: LEAF };
    const operation: Nested = { 8: parameters, 9: { 1: { 2: { 1: { 2: { 1: LEAF } } } } }, 13: { 2: LEAF } };
    const nested: Nested = {
      2: LEAF,
      8: { 2: { 2: { 2: operation } } },
      9: { 1: { 2: schema } },
      10: { 1: { 2: { 2: { 3: LEAF } } } },
      12: { 1: { 2: LEAF } },
      13: { 1: { 2: { 2: LEAF } } },
    };
    const reference = [1, '#/definitions/A'];
    assert.deepEqual(read(write(document, V2_SHAPES), nested), [
      ...[1, '2.0', 2, [1, 't', 2, '1']],
      ...[
        8,
        [
          2,
          [
            ...[1, '/p', 2],
            [
              2,
              [
                ...[1, 'a', 1, 'b', 5, 'id'],
                ...[8, [2, [1, '#/parameters/q']]],
                ...[8, [1, [1, [2, 'body', 3, 'body', 4, 1, 5, reference]]]],
                ...[9, [1, [1, '200', 2, [1, [1, 'OK', 2, [1, reference]]]]]],
                ...[13, [1, 'x-action', 2, [2, '"list"\n']]],
              ],
            ],
          ],
        ],
      ],
      ...[
        9,
        [
          1,
          [
            ...[1, 'A', 2],
            [
              ...[19, 'l', 21, [1, [7, 1.5, 22, [1, 'number']]]],
              ...[22, [1, 'object']],
              ...[25, [1, [1, 'l', 2, [5, [2, '[]\n'], 22, [1, 'array'], 23, [1, reference]]]]],
              ...[31, [1, 'x-kind', 2, [2, '[{"kind":"A"}]\n']]],
            ],
          ],
        ],
      ],
      ...[10, [1, [1, 'q', 2, [2, [3, [2, 'query', 4, 'q', 6, 'string', 20, 1]]]]]],
      ...[12, [1, [1, 'token', 2, []]]],
      ...[13, [1, [1, 'token', 2, [2, [1, 'apiKey', 2, 'n', 3, 'header']]]]],
    ]);
  });

  it('v3: have the messages that clients know, without defaults that are no scalars', () => {
    const ref = { $ref: '#/components/schemas/A' };
    const document = {
      openapi: '3.0.0',
      info: { title: 't', version: '1' },
      paths: {
        '/p': {
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string', uniqueItems: true } }],
          post: {
            operationId: 'id',
            requestBody: { content: { 'application/json': { schema: ref } }, required: true },
            responses: { 401: { description: 'no' } },
          },
        },
      },
      components: {
        schemas: {
          A: {
            type: 'object',
            properties: {
              a: { type: 'string', default: '', enum: ['x'] },
              b: { default: {}, allOf: [ref], additionalProperties: false },
            },
          },
        },
        securitySchemes: { token: { type: 'apiKey', name: 'n', in: 'header' } },
      },
    };
    const or = (nested: Nested): Nested => ({ 1: nested, 2: LEAF });
    const property = or({ 24: LEAF, 26: or(LEAF), 32: LEAF, 33: LEAF });
    const operation: Nested = {
      7: or({ 2: { 1: { 2: { 1: or(LEAF) } } } }),
      8: { 2: { 2: or(LEAF) } },
    };
    const nested: Nested = {
      2: LEAF,
      4: { 1: { 2: { 6: operation, 13: or({ 10: or(LEAF) }) } } },
      5: { 1: { 1: { 2: or({ 31: { 1: { 2: property } } }) } }, 7: { 1: { 2: or(LEAF) } } },
    };
    const reference = [2, [1, '#/components/schemas/A']];
    assert.deepEqual(read(write(document, V3_SHAPES), nested), [
      ...[1, '3.0.0', 2, [1, 't', 6, '1']],
      ...[
        4,
        [
          1,
          [
            1,
            '/p',
            2,
            [
              ...[
                6,
                [
                  5,
                  'id',
                  7,
                  [1, [2, [1, [1, 'application/json', 2, [1, reference]]], 3, 1]],
                  8,
                  [2, [1, '401', 2, [1, [1, 'no']]]],
                ],
              ],
              ...[13, [1, [1, 'q', 2, 'query', 10, [1, [20, 1, 25, 'string']]]]],
            ],
          ],
        ],
      ],
      ...[
        5,
        [
          ...[
            1,
            [
              1,
              [
                1,
                'A',
                2,
                [
                  1,
                  [
                    25,
                    'object',
                    31,
                    [
                      ...[1, [1, 'a', 2, [1, [24, [2, '"x"\n'], 25, 'string', 33, [3, '']]]]],
                      ...[1, [1, 'b', 2, [1, [26, reference, 32, [2, 0], 33, []]]]],
                    ],
                  ],
                ],
              ],
            ],
          ],
          ...[7, [1, [1, 'token', 2, [1, [1, 'apiKey', 3, 'n', 4, 'header']]]]],
        ],
      ],
    ]);
  });

  it('are written in small steps', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`/${i}`, { get: { operationId: 'i' } }]),
    );
    const writing = writeDocument({ paths }, V2_SHAPES);
    let steps = 0;
    while (writing.next().done !== true) steps++;
    assert.ok(steps >= 50);
  });
});
