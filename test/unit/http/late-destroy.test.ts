import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2, { type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { destroyOnceWritten } from '../../../src/http/server/late-destroy.ts';

describe('a stream of HTTP/2 that is destroyed once it is written', () => {
  let server: http2.Http2Server;
  let client: http2.ClientHttp2Session;
  let taken: Promise<ServerHttp2Stream>;

  beforeEach(async () => {
    server = http2.createServer();
    taken = new Promise((resolve) =>
      server.once('stream', (stream) => {
        stream.destroy = destroyOnceWritten;
        stream.on('error', () => undefined);
        resolve(stream);
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });

  afterEach(() => {
    client.destroy();
    server.close();
  });

  /** A stream whose request, with its body, has been read. */
  async function requested(): Promise<ServerHttp2Stream> {
    client.request({ ':method': 'POST' }).end('body');
    const stream = await taken;
    stream.resume();
    await once(stream, 'end');
    return stream;
  }

  it('has written all of its answer, and its writers hear of no error', async () => {
    const stream = await requested();
    const outcome = Promise.withResolvers<unknown>();
    stream.respond({ ':status': 200 });
    stream.end('answer', (error?: Error | null) => outcome.resolve(error ?? undefined));
    await once(stream, 'close');
    assert.equal(await outcome.promise, undefined);
    assert.deepEqual([stream.destroyed, stream.writableFinished, stream.rstCode], [true, true, 0]);
  });

  it('is destroyed at once when the client resets it', async () => {
    const request = client.request({ ':method': 'POST' });
    request.on('error', () => undefined);
    const stream = await taken;
    stream.respond({ ':status': 200 });
    stream.write('x'.repeat(1 << 20));
    await once(request, 'response');
    request.close(http2.constants.NGHTTP2_CANCEL);
    await once(stream, 'close');
    assert.equal(stream.destroyed, true);
  });

  it('is destroyed with its connection', async () => {
    const stream = await requested();
    stream.respond({ ':status': 200 });
    stream.end('x'.repeat(1 << 20)); // more than the client's window: the write stays under way
    client.destroy();
    await once(stream, 'close');
    assert.equal(stream.destroyed, true);
  });

  it('is destroyed by an error', async () => {
    const stream = await requested();
    stream.respond({ ':status': 200 });
    stream.end('x'.repeat(1 << 20));
    stream.destroy(new Error('for a reason'));
    await new Promise((resolve) => stream.once('close', resolve));
    assert.equal(stream.destroyed, true);
  });
});
