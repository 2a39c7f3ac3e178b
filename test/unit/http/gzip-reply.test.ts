import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import type { Reply, ReplyHeaders } from '../../../src/http/reply.ts';
import { GzipReply } from '../../../src/http/respond/gzip-reply.ts';

/** A client that takes what it is sent when it is told to. */
class Client extends EventEmitter implements Reply {
  readonly chunks: Buffer[] = [];
  headers: ReplyHeaders = {};
  started = false;
  ended = false;
  aborted = false;
  /** Calls back what waits for the client to take a chunk. */
  take: (() => void) | undefined;
  readonly #reads: boolean;

  constructor(reads: boolean) {
    super();
    this.#reads = reads;
  }

  get closed(): boolean {
    return this.ended || this.aborted;
  }

  get buffered(): number {
    return this.take === undefined ? 0 : 1;
  }

  head(_status: number, headers: ReplyHeaders): void {
    this.started = true;
    this.headers = headers;
  }

  flush(): void {
    // nothing waits
  }

  write(chunk: Buffer, taken?: () => void): void {
    assert.equal(this.take, undefined, 'a chunk was sent before the one before it was taken');
    this.chunks.push(Buffer.from(chunk));
    if (this.#reads) setImmediate(() => taken?.());
    else this.take = taken;
    this.emit('chunk');
  }

  end(): void {
    this.ended = true;
    this.emit('end');
  }

  abort(): void {
    this.aborted = true;
  }
}

/** What does not get smaller. */
const NOISE = noise(1 << 20);

function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0, state = 1; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

describe('a compressed reply', () => {
  it('is what was written, without a length', async () => {
    const client = new Client(true);
    const reply = new GzipReply(client);
    reply.head(200, { 'content-length': 5, 'content-type': 'text/plain' });
    const done = once(client, 'end');
    reply.write(NOISE, () => reply.end('the end'));
    await done;
    reply.release();
    assert.equal(client.aborted, false);
    assert.deepEqual(client.headers, {
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    });
    assert.ok(
      gunzipSync(Buffer.concat(client.chunks)).equals(Buffer.concat([NOISE, Buffer.from('the end')])),
    );
  });

  it('goes no faster than the client takes it', async () => {
    const client = new Client(false);
    const reply = new GzipReply(client);
    let consumed = false;
    reply.write(NOISE, () => (consumed = true));
    for (let taken = 0; !consumed; taken++) {
      await once(client, 'chunk');
      const take = client.take;
      client.take = undefined;
      take?.();
      assert.ok(taken < 100);
      if (taken === 0) assert.equal(consumed, false);
    }
    reply.release();
  });

  it('that ends when its time is over is cut short, so that the client notices', async () => {
    const client = new Client(false);
    const reply = new GzipReply(client);
    reply.head(200, {});
    reply.end(NOISE);
    await once(client, 'chunk');
    assert.deepEqual([reply.ended, client.ended], [true, false]);
    reply.release();
    assert.equal(client.aborted, true);
  });
});
