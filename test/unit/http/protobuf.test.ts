import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import { LIMITS } from '../../../src/http/limits.ts';
import { protobufEncoding, TEXT_ENCODINGS } from '../../../src/http/negotiate/encodings.ts';
import { Negotiator, type Delivery } from '../../../src/http/negotiate/negotiator.ts';
import type { FormSources } from '../../../src/http/respond/forms.ts';
import { PiecePool } from '../../../src/http/respond/piece-writer.ts';
import { answerStyle, Responder } from '../../../src/http/respond/responder.ts';
import { FrameEncoder, type Run } from '../../../src/http/watch/frames.ts';
import type { ApiObject, Json, JsonObject } from '../../../src/meta/object.ts';
import { toRevision } from '../../../src/meta/revision.ts';
import { DocumentTypes } from '../../../src/schema/document-types.ts';
import { ProtobufDocuments } from '../../../src/schema/protobuf/documents.ts';
import { MessageEncoder } from '../../../src/schema/protobuf/encode.ts';
import type { StoredEntry, WatchEvent } from '../../../src/store/object-store.ts';
import type { VerbResult } from '../../../src/verbs/result.ts';
import { storedEntry } from '../../support/http-gateway.ts';
import { memoryExchange, type MemoryReply } from '../../support/memory-exchange.ts';
import { readBody, readEvents } from '../../support/protobuf-oracle.ts';
import { openSchemas } from '../../support/schemas.ts';

const { registry } = openSchemas('kubernetes');
const CONFIG_MAPS = registry.resource('', 'v1', 'configmaps');
assert.ok(CONFIG_MAPS);
const resource = CONFIG_MAPS;

const TYPE = 'application/vnd.kubernetes.protobuf';
const META = 'meta.k8s.io';
const documents = new ProtobufDocuments(new DocumentTypes(registry, META));
const encoder = new MessageEncoder();
const messageOf = (entry: StoredEntry): Buffer =>
  encoder.encode(resource.type, entry.bytes().bytes, entry.bytes().itemStart);
const sources: FormSources = {
  metaGroup: META,
  encoding: (entry) => entry.bytes(),
  encodeObject: (object) => Buffer.from(JSON.stringify(object)),
  row: () => ({ cells: [] }),
  messages: {
    of: messageOf,
    lengthOf: (entry) => messageOf(entry).length,
    listMetadata: (json) => documents.listMetadata(json),
  },
};
const encodings = [...TEXT_ENCODINGS, protobufEncoding(TYPE, (json) => documents.encode(json))];
const negotiator = new Negotiator(META, encodings);

function configMap(name: string, revision: number, size = 16): StoredEntry {
  const object: ApiObject = {
    ...{ kind: 'ConfigMap', apiVersion: 'v1' },
    metadata: { name, namespace: 'default', creationTimestamp: '2024-01-02T03:04:05Z', labels: { l: name } },
    data: { k: 'x'.repeat(size) },
  };
  return storedEntry(object, revision);
}

function jsonOf(entry: StoredEntry): JsonObject {
  return JSON.parse(entry.bytes().bytes.toString()) as JsonObject;
}

async function answer(
  result: Exclude<VerbResult, { kind: 'watch' | 'relay' | 'text' | 'stream' }>,
  accept = TYPE,
): Promise<MemoryReply> {
  const { exchange, reply } = memoryExchange({ headers: { 'user-agent': 'curl/8' } });
  const negotiated = negotiator.forResource(accept, 'document');
  const style = answerStyle(exchange, result.kind === 'list' ? 'list' : 'get', negotiated);
  await new Responder(sources, new PiecePool()).respond(exchange, style, result);
  return reply;
}

function bodyOf(reply: MemoryReply): JsonObject {
  return readBody(Buffer.concat(reply.chunks));
}

function listOf(
  entries: readonly StoredEntry[],
  more: object = {},
): Exclude<VerbResult, { kind: 'watch' | 'relay' | 'text' | 'stream' }> {
  return { kind: 'list', resource, page: { revision: toRevision(9), entries, ...more } };
}

describe('answers in Protobuf', () => {
  const a = configMap('a', 5);

  it('are an entry', async () => {
    const reply = await answer({ kind: 'entry', status: 201, resource, entry: a });
    assert.equal(reply.status, 201);
    assert.equal(reply.headers['content-type'], TYPE);
    assert.equal(reply.headers['content-length'], Buffer.concat(reply.chunks).length);
    assert.deepEqual(bodyOf(reply), jsonOf(a));
  });

  it('are an object that is not stored, and a Status', async () => {
    const object = jsonOf(a) as ApiObject;
    assert.deepEqual(bodyOf(await answer({ kind: 'object', status: 200, resource, object })), object);
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 409 } as const;
    const reply = await answer({ kind: 'status', status });
    assert.equal(reply.status, 409);
    assert.deepEqual(bodyOf(reply), status);
  });

  for (const [what, count, size] of [
    ['of one piece', 3, 100],
    ['of many pieces', 300, 5000],
    ['with items longer than a piece', 3, LIMITS.pieceBytes * 2],
  ] as const) {
    it(`are a list ${what}`, async () => {
      const entries = Array.from({ length: count }, (_, i) => configMap(`c${i}`, i + 1, size + (i % 7)));
      const reply = await answer(listOf(entries, { continueToken: 'more', remaining: 7 }));
      assert.ok(reply.largest <= LIMITS.pieceBytes);
      assert.deepEqual(bodyOf(reply), {
        ...{ kind: 'ConfigMapList', apiVersion: 'v1' },
        metadata: { resourceVersion: '9', continue: 'more', remainingItemCount: 7 },
        items: entries.map((entry) => {
          const { kind: _kind, apiVersion: _version, ...item } = jsonOf(entry);
          return item;
        }),
      });
    });
  }

  it('are a list without items', async () => {
    assert.deepEqual(bodyOf(await answer(listOf([]))), {
      ...{ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '9' } },
    });
  });

  it('are the metadata of objects alone', async () => {
    const accept = (as: string): string => `${TYPE};as=${as};v=v1;g=${META}`;
    const { metadata } = jsonOf(a) as { metadata: JsonObject };
    for (const result of [
      { kind: 'entry', status: 200, resource, entry: a },
      { kind: 'object', status: 200, resource, object: jsonOf(a) as ApiObject },
    ] as const) {
      assert.deepEqual(bodyOf(await answer(result, accept('PartialObjectMetadata'))), {
        ...{ kind: 'PartialObjectMetadata', apiVersion: `${META}/v1`, metadata },
      });
    }
    const entries = [configMap('long', 6, 300_000), a];
    for (const version of ['v1', 'v1beta1']) {
      const type = accept('PartialObjectMetadataList').replace('v=v1', `v=${version}`);
      assert.deepEqual(bodyOf(await answer(listOf(entries), type)), {
        ...{ kind: 'PartialObjectMetadataList', apiVersion: `${META}/${version}` },
        metadata: { resourceVersion: '9' },
        items: entries.map((entry) => ({ metadata: jsonOf(entry).metadata })),
      });
    }
  });
});

describe('asking for Protobuf', () => {
  const outcome = (accept: string, delivery: Delivery = 'document'): string => {
    try {
      const { encoding, transform } = negotiator.forResource(accept, delivery);
      return transform === undefined ? encoding.mediaType : `${encoding.mediaType} ${transform.kind}`;
    } catch (error) {
      if (error instanceof ApiError) return String(error.code);
      throw error;
    }
  };
  const table = `as=Table;v=v1;g=${META}`;
  for (const [accept, expected] of [
    [TYPE, TYPE],
    [`${TYPE}, application/json`, TYPE],
    [`${TYPE};q=0.1, application/json`, 'application/json'],
    [`application/*, ${TYPE}`, TYPE],
    [`${TYPE};type=x`, TYPE],
    [`${TYPE};stream=watch`, TYPE],
    [`${TYPE};${table}`, '406'],
    [`${TYPE};${table}, ${TYPE}`, TYPE],
    [`${TYPE};${table}, application/json;${table}`, 'application/json Table'],
    ['application/vnd.orch.protobuf', '406'],
  ] as const) {
    it(`by ${accept}`, () => assert.equal(outcome(accept), expected));
  }

  it('for watches', () => {
    assert.equal(outcome(TYPE, 'watch'), TYPE);
    assert.equal(outcome(`${TYPE};stream=watch`, 'watch'), TYPE);
    assert.equal(negotiator.forResource(TYPE, 'watch').encoding.streamMediaType, `${TYPE};stream=watch`);
  });
});

describe('events in Protobuf', () => {
  const encode = (transform?: 'PartialObjectMetadata'): FrameEncoder => {
    const { encoding } = negotiator.forResource(TYPE, 'watch');
    const choice = {
      format: encoding.format,
      include: 'Metadata',
      ...(transform === undefined ? {} : { transform: { kind: transform, version: 'v1' } }),
    } as const;
    const names = { initialEventsEnd: 'end', initialEventsListBlueprint: 'blueprint' };
    return new FrameEncoder(resource, choice, { sources, names, turn: () => 0 });
  };
  const events = [1, 127, 128, 20_000].map((size, i): WatchEvent => {
    return {
      type: (['ADDED', 'MODIFIED', 'DELETED'] as const)[i % 3] ?? 'ADDED',
      entry: configMap('a', i + 1, size),
    };
  });
  const wanted = events.map(({ type, entry }) => ({ type, object: jsonOf(entry) }));

  it('stand behind their lengths', () => {
    const encoder = encode();
    assert.deepEqual(readEvents(Buffer.concat(events.map((event) => encoder.frame(event)))), wanted);
    const run: Run = encoder.extend(undefined, events);
    assert.deepEqual(readEvents(Buffer.concat(encoder.pieces(run))), wanted);
  });

  it('fill a piece as far as they fit', () => {
    const encoder = encode();
    const piece = Buffer.alloc(1000);
    const { index, used } = encoder.fill(piece, events, 0);
    assert.equal(index, 3);
    assert.deepEqual(readEvents(piece.subarray(0, used)), wanted.slice(0, 3));
  });

  it('are bookmarks, errors and metadata', () => {
    const encoder = encode();
    const [bookmark, error] = readEvents(
      Buffer.concat([
        encoder.endBookmark(toRevision(12)),
        encoder.error({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 }),
      ]),
    ) as { type: string; object: Record<string, Json> }[];
    const { annotations, ...metadata } = bookmark?.object['metadata'] as {
      annotations: Record<string, string>;
    };
    assert.deepEqual(metadata, { resourceVersion: '12', creationTimestamp: null });
    assert.equal(annotations['end'], 'true');
    assert.deepEqual(readBody(Buffer.from(annotations['blueprint'] ?? '', 'base64')), {
      ...{ kind: 'ConfigMapList', apiVersion: 'v1', metadata: {} },
    });
    assert.deepEqual([error?.type, error?.object['code']], ['ERROR', 410]);
    const [partial] = readEvents(encode('PartialObjectMetadata').frame(events[0] as WatchEvent));
    assert.deepEqual(partial, {
      type: 'ADDED',
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: `${META}/v1`,
        metadata: wanted[0]?.object.metadata,
      },
    });
  });
});
