import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import tls from 'node:tls';
import { selfSigned } from '../support/certificates.ts';
import { startGateway, type TestGateway } from '../support/http-gateway.ts';

describe('a certificate that is replaced', () => {
  let server: TestGateway;

  before(async () => {
    server = await startGateway();
  });
  after(() => server.close());

  /** What a new connection is shown. */
  async function shown(): Promise<string> {
    const socket = tls.connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { raw } = socket.getPeerCertificate();
    socket.destroy();
    return raw.toString('base64');
  }

  it('is what new connections are shown, while those there are go on', async () => {
    const next = await selfSigned();
    const pem = (text: string): string => text.replaceAll(/-----.*-----|\s/g, '');
    assert.equal(await shown(), pem(server.ca));
    const old = http2.connect(server.origin, { ca: server.ca });
    await once(old, 'connect');
    server.gateway.setCertificate(next);
    assert.equal(await shown(), pem(next.cert));
    const stream = old.request({ ':path': '/api/v1/namespaces/default/configmaps/a' });
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
    assert.equal(headers[':status'], 200);
    stream.close();
    old.close();
  });
});
