import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import { LIMITS } from '../../../src/http/limits.ts';
import { Negotiator } from '../../../src/http/negotiate/negotiator.ts';
import type { FormSources } from '../../../src/http/respond/forms.ts';
import { PiecePool } from '../../../src/http/respond/piece-writer.ts';
import { answerStyle, Responder } from '../../../src/http/respond/responder.ts';
import { toRevision } from '../../../src/meta/revision.ts';
import type { StoredEntry } from '../../../src/store/object-store.ts';
import type { VerbResult } from '../../../src/verbs/result.ts';
import { configMapEntry, CONFIG_MAPS, resourceRow, storedEntry } from '../../support/http-gateway.ts';
import { memoryExchange, type MemoryReply, type MemoryRequest } from '../../support/memory-exchange.ts';

const META = 'meta.orch.io';
const SOURCES: FormSources = {
  metaGroup: META,
  encoding: (entry) => entry.bytes(),
  encodeObject: (object) => Buffer.from(JSON.stringify(object)),
  row: (_resource, item) => ({ cells: ['entry' in item ? item.entry.name : 'object', 1n] }),
};

type Answerable = Exclude<VerbResult, { kind: 'watch' | 'relay' | 'text' | 'stream' }>;

async function answer(
  result: Answerable,
  { sources = SOURCES, ...request }: MemoryRequest & { verb?: string; sources?: FormSources } = {},
): Promise<MemoryReply> {
  const { exchange, reply } = memoryExchange({ url: '/api/v1/configmaps', ...request });
  const negotiated = new Negotiator(META).forResource(request.headers?.['accept'], 'document');
  const style = answerStyle(exchange, request.verb ?? (result.kind === 'list' ? 'list' : 'get'), negotiated);
  await new Responder(sources, new PiecePool()).respond(exchange, style, result);
  return reply;
}

function list(
  entries: readonly StoredEntry[],
  more: { continueToken?: string; remaining?: number } = {},
): Answerable {
  return { kind: 'list', resource: CONFIG_MAPS, page: { revision: toRevision(9), entries, ...more } };
}

function entry(of: StoredEntry, status: 200 | 201 = 200): Answerable {
  return { kind: 'entry', status, resource: CONFIG_MAPS, entry: of };
}

function accept(as: string, version = 'v1'): { headers: Record<string, string> } {
  return { headers: { accept: `application/json;as=${as};v=${version};g=${META}` } };
}

const A = configMapEntry('a', 5);
const B = configMapEntry('b', 6);
const metadata = (e: StoredEntry): unknown =>
  (JSON.parse(e.bytes().bytes.toString()) as { metadata: unknown }).metadata;

describe('answering with an entry', () => {
  it('sends its bytes as they are, with their length', async () => {
    const reply = await answer(entry(A, 201));
    assert.equal(reply.status, 201);
    assert.deepEqual(reply.chunks, [A.bytes().bytes]);
    assert.deepEqual(reply.headers, {
      'content-type': 'application/json',
      'content-length': A.bytes().bytes.length,
      'audit-id': 'audit',
      'cache-control': 'no-cache, private',
    });
  });

  for (const [agent, query, indented] of [
    ['curl/8', '', true],
    ['Mozilla/5.0 (X11)', '', true],
    ['kubectl', '', false],
    ['kubectl', '?pretty=true', true],
    ['curl/8', '?pretty=0', false],
    ['kubectl', '?pretty=maybe', false],
  ] as const) {
    it(`${indented ? 'indents' : 'does not indent'} for ${agent}${query}`, async () => {
      const reply = await answer(entry(A), { url: `/x${query}`, headers: { 'user-agent': agent } });
      assert.equal(reply.text.includes('\n  "kind"'), indented);
      assert.deepEqual(JSON.parse(reply.text), JSON.parse(A.bytes().bytes.toString()));
    });
  }

  it('sends YAML', async () => {
    const reply = await answer(entry(A), { headers: { accept: 'application/yaml' } });
    assert.equal(reply.headers['content-type'], 'application/yaml');
    assert.match(reply.text, /^apiVersion: v1\ndata:\n {2}k: x+\nkind: ConfigMap\n/);
  });

  it('sends its metadata only', async () => {
    const reply = await answer(entry(A), accept('PartialObjectMetadata', 'v1beta1'));
    assert.deepEqual(JSON.parse(reply.text), {
      kind: 'PartialObjectMetadata',
      apiVersion: `${META}/v1beta1`,
      metadata: metadata(A),
    });
  });

  it('sends a Table without a version of what is not stored', async () => {
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'dry' } };
    const reply = await answer(
      { kind: 'object', status: 201, resource: CONFIG_MAPS, object },
      accept('Table'),
    );
    assert.deepEqual((JSON.parse(reply.text) as { metadata: unknown }).metadata, {});
  });

  it('sends a Table of one row', async () => {
    const reply = await answer(entry(A), accept('Table'));
    assert.deepEqual(JSON.parse(reply.text), {
      kind: 'Table',
      apiVersion: `${META}/v1`,
      metadata: { resourceVersion: '5' },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
        { name: 'Created At', type: 'date', format: '', description: '', priority: 0 },
      ],
      rows: [
        {
          cells: ['a', 1],
          object: { kind: 'PartialObjectMetadata', apiVersion: `${META}/v1`, metadata: metadata(A) },
        },
      ],
    });
  });

  it('sends a large one in pieces, its length told', async () => {
    const large = configMapEntry('large', 5, 1_500_000);
    const reply = await answer(entry(large));
    assert.equal(reply.headers['content-length'], large.bytes().bytes.length);
    assert.ok(reply.largest <= LIMITS.pieceBytes);
    assert.equal(reply.text, large.bytes().bytes.toString());
    assert.equal(reply.ended, true);
  });
});

describe('answering with an object that is not stored', () => {
  const object = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 's', resourceVersion: '4' },
  };

  it('encodes it', async () => {
    const reply = await answer({ kind: 'object', status: 201, resource: CONFIG_MAPS, object });
    assert.equal(reply.status, 201);
    assert.deepEqual(JSON.parse(reply.text), object);
  });

  it('sends its metadata only', async () => {
    const reply = await answer(
      { kind: 'object', status: 200, resource: CONFIG_MAPS, object },
      accept('PartialObjectMetadata'),
    );
    assert.deepEqual(JSON.parse(reply.text), {
      kind: 'PartialObjectMetadata',
      apiVersion: `${META}/v1`,
      metadata: object.metadata,
    });
  });

  it('sends its metadata in the order of the type', async () => {
    const encoded = `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"resourceVersion":"4","name":"s"}}`;
    const sources = { ...SOURCES, encodeObject: () => Buffer.from(encoded) };
    const reply = await answer(
      { kind: 'object', status: 200, resource: CONFIG_MAPS, object },
      { ...accept('PartialObjectMetadata'), sources },
    );
    assert.ok(reply.text.endsWith('"metadata":{"resourceVersion":"4","name":"s"}}'));
  });
});

describe('answering with a list', () => {
  const withoutKind = (e: StoredEntry): unknown => {
    const {
      kind: _kind,
      apiVersion: _version,
      ...rest
    } = JSON.parse(e.bytes().bytes.toString()) as Record<string, unknown>;
    return rest;
  };

  it('sends items without kind and apiVersion, with the length when it is short', async () => {
    const reply = await answer(list([A, B], { continueToken: 'next', remaining: 3 }));
    assert.equal(reply.headers['content-length'], reply.text.length);
    assert.deepEqual(JSON.parse(reply.text), {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '9', continue: 'next', remainingItemCount: 3 },
      items: [withoutKind(A), withoutKind(B)],
    });
  });

  it('sends an empty array for no items', async () => {
    const reply = await answer(list([]));
    assert.deepEqual(JSON.parse(reply.text), {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '9' },
      items: [],
    });
  });

  it('sends null for no metadata', async () => {
    const reply = await answer(list([]), accept('PartialObjectMetadataList'));
    assert.deepEqual(JSON.parse(reply.text), {
      kind: 'PartialObjectMetadataList',
      apiVersion: `${META}/v1`,
      metadata: { resourceVersion: '9' },
      items: null,
    });
  });

  for (const type of ['application/json', 'application/json;pretty=1', 'application/yaml']) {
    it(`streams a long one in pieces of at most 256 KB (${type})`, async () => {
      const entries = Array.from({ length: 800 }, (_, i) =>
        configMapEntry(`c${i}`, i + 1, i === 7 ? 600_000 : 2_000),
      );
      const reply = await answer(list(entries), { headers: { accept: type } });
      assert.equal(reply.headers['content-length'], undefined);
      assert.ok(reply.largest <= LIMITS.pieceBytes);
      assert.ok(reply.chunks.length > 5);
      assert.equal(reply.ended, true);
      if (type.includes('yaml')) {
        assert.equal(reply.text.match(/^- data:$/gm)?.length, entries.length);
      } else {
        const { items } = JSON.parse(reply.text) as { items: unknown[] };
        assert.deepEqual(items, entries.map(withoutKind));
      }
    });
  }

  it('stops when the client is gone', async () => {
    const entries = Array.from({ length: 2_000 }, (_, i) => configMapEntry(`c${i}`, i + 1, 2_000));
    const { exchange, reply } = memoryExchange({ url: '/x' });
    reply.reading = false;
    let encoded = 0;
    const sources: FormSources = {
      ...SOURCES,
      encoding: (e) => {
        encoded++;
        return e.bytes();
      },
    };
    const style = answerStyle(exchange, 'list', new Negotiator(META).forResource(undefined, 'document'));
    const done = new Responder(sources, new PiecePool()).respond(exchange, style, list(entries));
    await new Promise((resolve) => setImmediate(resolve));
    const before = encoded;
    assert.ok(before < 300, 'a client that does not read is not written for');
    reply.abort();
    exchange.finish();
    await done;
    assert.ok(encoded - before <= 1);
  });

  it('sends metadata only', async () => {
    const reply = await answer(list([A]), accept('PartialObjectMetadataList'));
    assert.deepEqual(JSON.parse(reply.text), {
      kind: 'PartialObjectMetadataList',
      apiVersion: `${META}/v1`,
      metadata: { resourceVersion: '9' },
      items: [{ kind: 'PartialObjectMetadata', apiVersion: `${META}/v1`, metadata: metadata(A) }],
    });
  });

  for (const [include, object] of [
    ['None', null],
    ['Metadata', { kind: 'PartialObjectMetadata', apiVersion: `${META}/v1`, metadata: metadata(A) }],
    ['Object', JSON.parse(A.bytes().bytes.toString()) as unknown],
  ] as const) {
    it(`sends a Table whose rows carry ${include}`, async () => {
      const reply = await answer(list([A]), { ...accept('Table'), url: `/x?includeObject=${include}` });
      const table = JSON.parse(reply.text) as { metadata: unknown; rows: unknown };
      assert.deepEqual(table.metadata, { resourceVersion: '9' });
      assert.deepEqual(table.rows, [{ cells: ['a', 1], object }]);
    });
  }

  it('names the columns of its resource', async () => {
    const resource = resourceRow({
      resource: 'things',
      kind: 'Thing',
      columns: [{ name: 'Size', type: 'integer', format: '', priority: 1 }],
    });
    const reply = await answer(
      { kind: 'list', resource, page: { revision: toRevision(9), entries: [A] } },
      accept('Table'),
    );
    const { columnDefinitions } = JSON.parse(reply.text) as { columnDefinitions: unknown };
    assert.deepEqual(columnDefinitions, [
      { name: 'Size', type: 'integer', format: '', description: '', priority: 1 },
    ]);
  });
});

describe('answering with a Status', () => {
  it('sends it whatever form was asked for', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' } as const;
    const reply = await answer({ kind: 'status', status }, accept('Table'));
    assert.equal(reply.status, 200);
    assert.deepEqual(JSON.parse(reply.text), status);
  });
});

describe('forms that an answer does not have', () => {
  for (const [as, verb, url, code] of [
    ['PartialObjectMetadata', 'list', '/x', 406],
    ['PartialObjectMetadata', 'deletecollection', '/x', 406],
    ['PartialObjectMetadataList', 'get', '/x', 406],
    ['Table', 'list', '/x?includeObject=Bogus', 400],
  ] as const) {
    it(`${as} of ${verb} ${url}: ${code}`, () => {
      const { exchange } = memoryExchange({ url });
      const negotiated = new Negotiator(META).forResource(accept(as).headers['accept'], 'document');
      assert.throws(
        () => answerStyle(exchange, verb, negotiated),
        (error: unknown) => error instanceof ApiError && error.code === code,
      );
    });
  }
});

describe('entries of kinds with other shapes', () => {
  it('have their metadata found behind any kind', async () => {
    const e = storedEntry({ kind: 'X"Y', apiVersion: 'g/v1', metadata: { name: 'n' } }, 3);
    const reply = await answer(entry(e), accept('PartialObjectMetadata'));
    assert.deepEqual((JSON.parse(reply.text) as { metadata: unknown }).metadata, {
      resourceVersion: '3',
      name: 'n',
    });
  });
});
