import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { probeHealth } from '../../../src/outbound/health-probe.ts';
import { selfSigned } from '../../support/certificates.ts';

describe('a health probe', () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer(await selfSigned(), (request, response) => {
      if (request.url === '/silent') return;
      if (request.url === '/long') return void response.end('x'.repeat(100_000));
      response.statusCode = request.url === '/ill' ? 500 : 200;
      response.end('ok');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const probe = (path: string, signal = AbortSignal.timeout(5_000)) => probeHealth(`${url}${path}`, signal);

  it('takes the word of a program with a certificate of its own', async () => {
    assert.deepEqual(await probe('/healthz'), { ok: true, text: 'ok' });
  });

  it('tells of an answer that is not well', async () => {
    assert.deepEqual(await probe('/ill'), { ok: false, text: 'the health check answered 500' });
  });

  it('keeps little of a long answer', async () => {
    const { ok, text } = await probe('/long');
    assert.equal(ok, true);
    assert.equal(text.length, 10_000);
  });

  it('ends when it is told to, and when nobody listens', async () => {
    const { ok, text } = await probe('/silent', AbortSignal.timeout(20));
    assert.equal(ok, false);
    assert.match(text, /GET https:/);
    const nobody = await probeHealth('https://127.0.0.1:1/healthz', AbortSignal.timeout(5_000));
    assert.equal(nobody.ok, false);
    assert.match(nobody.text, /ECONNREFUSED/);
  });
});
