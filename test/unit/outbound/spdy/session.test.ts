import assert from 'node:assert/strict';
import { once } from 'node:events';
import { duplexPair, type Duplex } from 'node:stream';
import { SpdySession } from '../../../../src/outbound/spdy/session.ts';
import { headersOf, SpdyPeer } from '../../../support/spdy-peer.ts';

/** Both ends of a connection. */
function connected(): { session: SpdySession; peer: SpdyPeer; socket: Duplex } {
  const [here, there] = duplexPair();
  return { session: new SpdySession(here, Buffer.alloc(0)), peer: new SpdyPeer(there), socket: here };
}

interface Heard {
  text: string;
  readonly ended: Promise<string>;
}

function listen(session: SpdySession, name: string) {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const heard: Heard = { text: '', ended };
  const stream = session.open(
    { streamtype: name },
    { data: (chunk) => void (heard.text += chunk.toString()), end: resolve },
  );
  return { stream, heard };
}

describe('a client of SPDY', () => {
  it('opens streams with headers that zlib reads, one block after the other', async () => {
    const { session, peer } = connected();
    listen(session, 'stdin');
    listen(session, 'résumé');
    const frames = await peer.until((all) => (all.length === 2 ? all : undefined));
    assert.deepEqual(headersOf(frames), [{ streamtype: 'stdin' }, { streamtype: 'résumé' }]);
    assert.deepEqual(
      frames.map(({ streamId }) => streamId),
      [1, 3],
    );
  });

  it('carries bytes both ways, and each end', async () => {
    const { session, peer } = connected();
    const { stream, heard } = listen(session, 'a');
    const other = listen(session, 'b');
    const { a = 0 } = await peer.streams(2);
    await stream.agreed;
    stream.write(Buffer.from('to the '));
    stream.write(Buffer.from('agent'));
    stream.end();
    stream.end();
    stream.write(Buffer.from('too late'));
    const last = await peer.until((all) => all.find(({ type, fin }) => type === 0 && fin));
    assert.equal(last.streamId, a);
    assert.equal(peer.textOf(a), 'to the agent');
    peer.data(a, 'and back');
    peer.data(a, '', true);
    assert.equal(await heard.ended, 'ended');
    assert.equal(heard.text, 'and back');
    assert.equal(other.heard.text, '');
  });

  it('answers pings, and opens no stream for the other side', async () => {
    const { session, peer } = connected();
    session.ping();
    peer.ping(8);
    peer.socket.write(Buffer.from('800300010000000a00000002000000000000', 'hex'));
    const frames = await peer.until((all) => (all.length === 3 ? all : undefined));
    assert.deepEqual(
      frames.map(({ type, streamId }) => [type, streamId]),
      [
        [6, 1],
        [6, 8],
        [3, 2],
      ],
    );
  });

  it('says which stream was refused', async () => {
    const { session, peer } = connected();
    const { stream, heard } = listen(session, 'a');
    const frame = await peer.until((all) => all[0]);
    peer.reset(frame.streamId);
    await assert.rejects(stream.agreed, /refused/);
    assert.equal(await heard.ended, 'ended');
    assert.equal(stream.write(Buffer.from('x')), true);
  });

  it('tells the end of a connection that was taken leave of from one that was lost', async () => {
    const left = connected();
    const { heard } = listen(left.session, 'a');
    await left.peer.streams(1);
    left.peer.close();
    assert.equal(await heard.ended, 'ended');

    const lost = connected();
    const other = listen(lost.session, 'a');
    await lost.peer.streams(1);
    lost.peer.socket.end();
    assert.equal(await other.heard.ended, 'lost');
  });

  it('ends where the other side speaks something else', async () => {
    const { session, peer, socket } = connected();
    const { stream, heard } = listen(session, 'a');
    const closed = once(socket, 'close');
    peer.socket.write(Buffer.from('8001000100000000', 'hex'));
    await assert.rejects(stream.agreed);
    assert.equal(await heard.ended, 'lost');
    await closed;
  });

  it('resets its streams when it closes, and says goodbye', async () => {
    const { session, peer } = connected();
    const { stream, heard } = listen(session, 'a');
    await peer.streams(1);
    await stream.agreed;
    session.close();
    session.close();
    assert.equal(await heard.ended, 'lost');
    const frames = await peer.until((all) => (all.length === 3 ? all : undefined));
    assert.deepEqual(
      frames.map(({ type }) => type),
      [1, 3, 7],
    );
  });
});
