import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { ApiError } from '../../../src/errors/api-error.ts';
import { DiscoveryDocuments } from '../../../src/http/discovery/documents.ts';
import { discoveryEndpoint } from '../../../src/http/endpoints/discovery.ts';
import { metricsEndpoint } from '../../../src/http/endpoints/metrics.ts';
import { openApiEndpoints } from '../../../src/http/endpoints/openapi.ts';
import { rootEndpoints } from '../../../src/http/endpoints/root.ts';
import { Negotiator } from '../../../src/http/negotiate/negotiator.ts';
import { OpenApiDocuments } from '../../../src/http/openapi/documents.ts';
import type { Endpoint } from '../../../src/http/pipeline.ts';
import { loadNames } from '../../../src/names/load.ts';
import { loadSchemas } from '../../../src/schema/load.ts';
import { memoryExchange, type MemoryReply, type MemoryRequest } from '../../support/memory-exchange.ts';

const names = loadNames({ profile: 'orch' });
const registry = loadSchemas({ profile: 'orch' });
const GROUP = names.get('group.apidiscovery');

async function ask(endpoint: Endpoint, request: MemoryRequest): Promise<MemoryReply> {
  const { exchange, reply } = memoryExchange(request);
  await endpoint(exchange);
  return reply;
}

function refusal(endpoint: Endpoint, request: MemoryRequest, code: number): Promise<void> {
  return assert.rejects(
    async () => ask(endpoint, request),
    (error: unknown) => error instanceof ApiError && error.code === code,
  );
}

describe('discovery endpoints', () => {
  const discovery = discoveryEndpoint({
    documents: new DiscoveryDocuments({ registry, names, serverAddress: '127.0.0.1:6443' }),
    negotiator: new Negotiator(names.get('group.meta')),
    discoveryGroup: GROUP,
  });
  const aggregated = (version: string, type = 'application/json'): { accept: string } => ({
    accept: `${type};g=${GROUP};v=${version};as=APIGroupDiscoveryList`,
  });

  for (const [url, kind] of [
    ['/api', 'APIVersions'],
    ['/api/', 'APIVersions'],
    ['/apis', 'APIGroupList'],
    ['/apis/', 'APIGroupList'],
    ['/api/v1', 'APIResourceList'],
    ['/api/v1/', 'APIResourceList'],
    ['/apis/apps', 'APIGroup'],
    ['/apis/apps/v1', 'APIResourceList'],
  ] as const) {
    it(`${url} answers with ${kind}`, async () => {
      const reply = await ask(discovery, { url });
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['cache-control'], 'no-cache, private');
      assert.equal((JSON.parse(reply.text) as { kind: string }).kind, kind);
    });
  }

  it('answers in YAML', async () => {
    const reply = await ask(discovery, { url: '/api', headers: { accept: 'application/yaml' } });
    assert.equal(reply.headers['content-type'], 'application/yaml');
    assert.match(reply.text, /^kind: APIVersions\n/m);
  });

  it('answers the roots in aggregated form, with a tag, once', async () => {
    const first = await ask(discovery, { url: '/apis', headers: aggregated('v2') });
    assert.equal(first.headers['content-type'], aggregated('v2').accept);
    assert.equal(first.headers['cache-control'], 'public');
    assert.equal(first.headers['vary'], 'Accept');
    const etag = String(first.headers['etag']);
    assert.match(etag, /^"[0-9A-F]{128}"$/);
    const again = await ask(discovery, {
      url: '/apis',
      headers: { ...aggregated('v2'), 'if-none-match': etag },
    });
    assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag]);
    const other = await ask(discovery, {
      url: '/apis',
      headers: { ...aggregated('v2'), 'if-none-match': '"x"' },
    });
    assert.equal(other.status, 200);
  });

  it('prefers the aggregated form wherever the client names it', async () => {
    const accept = `application/json,${aggregated('v2beta1').accept}`;
    const reply = await ask(discovery, { url: '/api', headers: { accept } });
    assert.equal((JSON.parse(reply.text) as { apiVersion: string }).apiVersion, `${GROUP}/v2beta1`);
  });

  for (const [method, url, accept, code] of [
    ['GET', '/api', aggregated('v1').accept, 406],
    ['GET', '/apis/apps', aggregated('v2').accept, 406],
    ['GET', '/api/v1', 'text/html', 406],
    ['GET', '/api', 'application/*', 406],
    ['POST', '/api', '', 405],
    ['POST', '/api/v1', '', 405],
    ['GET', '/apis/apps/v2', '', 404],
    ['GET', '/api/v2', '', 404],
    ['POST', '/api/v2', '', 404],
    ['GET', '/apis/apps/v2', 'text/html', 404],
  ] as const) {
    it(`${method} ${url} accepting ${accept}: ${code}`, () =>
      refusal(discovery, { method, url, headers: { accept } }, code));
  }

  it('takes any method for the list of groups, as clients of extension servers may', async () => {
    assert.equal((await ask(discovery, { method: 'POST', url: '/apis' })).status, 200);
  });
});

describe('OpenAPI endpoints', () => {
  const { exact, below } = openApiEndpoints({
    documents: new OpenApiDocuments({
      registry,
      names,
      version: '1.32',
      cbor: false,
      descriptions: () => ({}),
    }),
    now: () => Date.UTC(2025, 0, 1),
  });
  const serve: Endpoint = (exchange) => {
    const endpoint = exact.get(exchange.info.path) ?? below[0]?.[1];
    assert.ok(endpoint);
    return endpoint(exchange);
  };
  const url = '/openapi/v3/apis/scheduling.orch.io/v1';

  it('list the documents, whatever is accepted', async () => {
    const reply = await ask(serve, { url: '/openapi/v3', headers: { accept: 'application/xml' } });
    assert.equal(reply.headers['content-type'], 'text/plain; charset=utf-8');
    const { paths } = JSON.parse(reply.text) as { paths: Record<string, { serverRelativeURL: string }> };
    assert.match(paths['apis/scheduling.orch.io/v1']?.serverRelativeURL ?? '', /\?hash=[0-9A-F]{128}$/);
  });

  it('serve a document with its tag', async () => {
    const reply = await ask(serve, { url });
    assert.equal(reply.headers['content-type'], 'application/json');
    assert.equal(reply.headers['cache-control'], 'no-cache, private');
    assert.equal(reply.headers['last-modified'], 'Wed, 01 Jan 2025 00:00:00 GMT');
    assert.equal((JSON.parse(reply.text) as { openapi: string }).openapi, '3.0.0');
    const etag = String(reply.headers['etag']);
    const again = await ask(serve, { url, headers: { 'if-none-match': etag } });
    assert.deepEqual([again.status, again.text], [304, '']);
  });

  it('serve for good what is asked for by its hash, and lead others there', async () => {
    const { headers } = await ask(serve, { url });
    const hash = String(headers['etag']).slice(1, -1);
    const current = await ask(serve, { url: `${url}?hash=${hash}` });
    assert.equal(current.headers['cache-control'], 'public, immutable');
    assert.equal(current.headers['expires'], 'Thu, 01 Jan 2026 00:00:00 GMT');
    const old = await ask(serve, { url: `${url}?hash=OLD` });
    assert.deepEqual([old.status, old.headers['location'], old.text], [301, `${url}?hash=${hash}`, '']);
  });

  it('compress the large document for clients that take that', async () => {
    const v2 = '/openapi/v2';
    const plain = await ask(serve, { url: v2 });
    const reply = await ask(serve, { url: v2, headers: { 'accept-encoding': 'gzip' } });
    while (!reply.ended) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      [reply.headers['content-encoding'], reply.headers['vary'], reply.headers['content-length']],
      ['gzip', 'Accept, Accept-Encoding', undefined],
    );
    assert.equal(gunzipSync(Buffer.concat(reply.chunks)).toString(), plain.text);
  });

  it('know no other places', async () => {
    assert.equal((await ask(serve, { url: '/openapi/v3/apis/nope/v1' })).status, 404);
  });

  it('refuse other media types', async () => {
    await refusal(serve, { url: '/openapi/v2', headers: { accept: 'application/xml' } }, 406);
    await refusal(serve, { url, headers: { accept: 'application/xml' } }, 406);
  });
});

describe('further endpoints', () => {
  it('/ lists the paths, sorted', async () => {
    const [[, endpoint]] = rootEndpoints(() => ['/b', '/a']) as [[string, Endpoint]];
    const reply = await ask(endpoint, { url: '/' });
    assert.equal(reply.text, '{\n  "paths": [\n    "/a",\n    "/b"\n  ]\n}');
  });

  it('/metrics says the type of its text', async () => {
    const endpoint = metricsEndpoint({
      text: () => Promise.resolve('a 1\n'),
      contentType: 'text/plain; version=0.0.4',
    });
    const reply = await ask(endpoint, { url: '/metrics' });
    assert.deepEqual([reply.text, reply.headers['content-type']], ['a 1\n', 'text/plain; version=0.0.4']);
  });
});
