import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import { cborEncoding, TEXT_ENCODINGS } from '../../../src/http/negotiate/encodings.ts';
import { Negotiator } from '../../../src/http/negotiate/negotiator.ts';
import type { FormSources } from '../../../src/http/respond/forms.ts';
import { PiecePool } from '../../../src/http/respond/piece-writer.ts';
import { answerStyle, Responder } from '../../../src/http/respond/responder.ts';
import { FrameEncoder } from '../../../src/http/watch/frames.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { toRevision } from '../../../src/meta/revision.ts';
import { parseCbor } from '../../../src/schema/cbor/read.ts';
import { DocumentTypes } from '../../../src/schema/document-types.ts';
import type { StoredEntry } from '../../../src/store/object-store.ts';
import type { VerbResult } from '../../../src/verbs/result.ts';
import { storedEntry } from '../../support/http-gateway.ts';
import { memoryExchange, type MemoryReply } from '../../support/memory-exchange.ts';
import { openSchemas } from '../../support/schemas.ts';

const { registry } = openSchemas('kubernetes');
const SECRETS = registry.resource('', 'v1', 'secrets');
assert.ok(SECRETS);
const resource = SECRETS;

const META = 'meta.k8s.io';
const CBOR = 'application/cbor';
const sources: FormSources = {
  metaGroup: META,
  encoding: (entry) => entry.bytes(),
  encodeObject: (object) => Buffer.from(JSON.stringify(object)),
  row: () => ({ cells: [] }),
};
const negotiator = new Negotiator(META, [...TEXT_ENCODINGS, cborEncoding(new DocumentTypes(registry, META))]);

function secret(name: string, revision: number, size = 3): StoredEntry {
  const object: ApiObject = {
    ...{ kind: 'Secret', apiVersion: 'v1' },
    metadata: { name, namespace: 'default', labels: { l: 'QQ==' } },
    data: { k: Buffer.alloc(size, 'x').toString('base64') },
  };
  return storedEntry(object, revision);
}

function jsonOf(entry: StoredEntry): JsonObject {
  return JSON.parse(entry.bytes().bytes.toString()) as JsonObject;
}

async function answer(
  result: Exclude<VerbResult, { kind: 'watch' | 'relay' | 'text' | 'stream' }>,
  accept = CBOR,
): Promise<MemoryReply> {
  const { exchange, reply } = memoryExchange();
  const negotiated = negotiator.forResource(accept, 'document');
  const style = answerStyle(exchange, result.kind === 'list' ? 'list' : 'get', negotiated);
  await new Responder(sources, new PiecePool()).respond(exchange, style, result);
  return reply;
}

function bodyOf(reply: MemoryReply): unknown {
  const bytes = Buffer.concat(reply.chunks);
  assert.deepEqual(bytes.subarray(0, 3), Buffer.from([0xd9, 0xd9, 0xf7]));
  return parseCbor(bytes).value;
}

function listOf(
  entries: readonly StoredEntry[],
  more: object = {},
): Exclude<VerbResult, { kind: 'watch' | 'relay' | 'text' | 'stream' }> {
  return { kind: 'list', resource, page: { revision: toRevision(9), entries, ...more } };
}

describe('answers in CBOR', () => {
  const a = secret('a', 5);

  it('are an entry, its bytes as bytes', async () => {
    const reply = await answer({ kind: 'entry', status: 200, resource, entry: a });
    assert.equal(reply.headers['content-type'], CBOR);
    assert.deepEqual(bodyOf(reply), jsonOf(a));
    assert.ok(Buffer.concat(reply.chunks).includes(Buffer.from('d643787878', 'hex')));
  });

  it('are a Status', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 409 } as const;
    assert.deepEqual(bodyOf(await answer({ kind: 'status', status })), status);
  });

  for (const count of [1, 23, 24, 300]) {
    it(`are a list of ${count}, its items' bytes as bytes`, async () => {
      const entries = Array.from({ length: count }, (_, i) => secret(`s${i}`, i + 1, i * 10));
      const reply = await answer(listOf(entries));
      assert.deepEqual(bodyOf(reply), {
        ...{ kind: 'SecretList', apiVersion: 'v1', metadata: { resourceVersion: '9' } },
        items: entries.map((entry) => {
          const { kind: _kind, apiVersion: _version, ...item } = jsonOf(entry);
          return item;
        }),
      });
      assert.equal(Buffer.concat(reply.chunks).includes('eHh4'), false);
    });
  }

  it('are lists without items', async () => {
    const metadata = { resourceVersion: '9' };
    assert.deepEqual(bodyOf(await answer(listOf([]))), {
      ...{ kind: 'SecretList', apiVersion: 'v1', metadata, items: [] },
    });
    const reply = await answer(listOf([]), `${CBOR};as=PartialObjectMetadataList;v=v1;g=${META}`);
    assert.deepEqual(bodyOf(reply), {
      ...{ kind: 'PartialObjectMetadataList', apiVersion: `${META}/v1`, metadata, items: null },
    });
  });

  it('are metadata alone', async () => {
    const reply = await answer(listOf([a]), `${CBOR};as=PartialObjectMetadataList;v=v1;g=${META}`);
    assert.deepEqual(bodyOf(reply), {
      ...{ kind: 'PartialObjectMetadataList', apiVersion: `${META}/v1`, metadata: { resourceVersion: '9' } },
      items: [{ kind: 'PartialObjectMetadata', apiVersion: `${META}/v1`, metadata: jsonOf(a).metadata }],
    });
  });

  it('are no Tables, and nothing for discovery above a version', () => {
    const refusal = (accept: string): void => void negotiator.forResource(accept, 'document');
    assert.throws(() => refusal(`${CBOR};as=Table;v=v1;g=${META}`), ApiError);
    assert.throws(() => refusal('application/cbor-seq'), ApiError);
    const roots = negotiator.withOnly((encoding) => encoding.roots);
    assert.equal(roots.plain(CBOR), undefined);
    assert.equal(roots.plain(`${CBOR}, application/json`)?.encoding.mediaType, 'application/json');
    assert.throws(() => new Negotiator(META).forResource(CBOR, 'document'), ApiError);
  });

  it('are watches: maps one after the other', () => {
    const { encoding } = negotiator.forResource(CBOR, 'watch');
    assert.equal(encoding.streamMediaType, 'application/cbor-seq');
    const choice = { format: encoding.format, include: 'Metadata' } as const;
    const names = { initialEventsEnd: 'end', initialEventsListBlueprint: 'blueprint' };
    const encoder = new FrameEncoder(resource, choice, { sources, names, turn: () => 0 });
    for (const type of ['ADDED', 'MODIFIED', 'DELETED'] as const) {
      assert.deepEqual(parseCbor(encoder.frame({ type, entry: a })).value, { type, object: jsonOf(a) });
    }
    const bookmark = parseCbor(encoder.bookmark(toRevision(7), true)).value as { type: string };
    assert.equal(bookmark.type, 'BOOKMARK');
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 } as const;
    assert.deepEqual(parseCbor(encoder.error(status)).value, { type: 'ERROR', object: status });
  });
});
