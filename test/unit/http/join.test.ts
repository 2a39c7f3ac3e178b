import assert from 'node:assert/strict';
import { once } from 'node:events';
import { duplexPair, type Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { join } from '../../../src/http/relay/join.ts';

/** Two connections that are joined here; their other ends. */
function joined(): { client: Duplex; agent: Duplex; here: Duplex; there: Duplex; end: () => void } {
  const [here, client] = duplexPair();
  const [there, agent] = duplexPair();
  for (const side of [client, agent]) side.on('error', () => undefined);
  return { client, agent, here, there, end: join(here, there) };
}

describe('joined connections', () => {
  it('pass the end of one direction on, and keep the other', async () => {
    const { client, agent } = joined();
    client.end('question');
    assert.equal((await buffer(agent)).toString(), 'question');
    agent.end('answer');
    assert.equal((await buffer(client)).toString(), 'answer');
  });

  it('give a slow side all that was sent before the other’s end, and hold up who is faster', async () => {
    const { client, agent } = joined();
    const piece = Buffer.alloc(100_000, 'x');
    let sent = 0;
    while (agent.write(piece)) sent += piece.length;
    assert.ok(sent < 1_000_000);
    agent.end(piece);
    assert.ok((await buffer(client)).length > sent);
  });

  for (const side of ['client', 'agent'] as const) {
    it(`end when the ${side}’s is cut`, async () => {
      const { client, agent, here, there } = joined();
      for (const end of [client, agent]) end.resume();
      const [cut, other] = side === 'client' ? [here, there] : [there, here];
      const closed = once(other, 'close');
      cut.destroy(new Error('reset'));
      await closed;
    });
  }

  it('end at once where one is gone already', () => {
    const [here] = duplexPair();
    const [there] = duplexPair();
    here.destroy();
    join(here, there);
    assert.ok(there.destroyed);
  });

  it('end when they are to', async () => {
    const { client, agent, here, there, end } = joined();
    for (const side of [client, agent]) side.resume();
    const closed = Promise.all([once(here, 'close'), once(there, 'close')]);
    end();
    await closed;
  });
});
