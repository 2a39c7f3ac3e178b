import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import type { Revision } from '../../../src/meta/revision.ts';
import { EtcdWatch } from '../../../src/storage/etcd/watch-loop.ts';
import { WatchOutage } from '../../../src/storage/etcd/watch-outage.ts';
import type { OpenedWatch } from '../../../src/storage/etcd/rpc.ts';
import type { WatchMessage } from '../../../src/storage/etcd/proto/watch.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A stream in memory, in the place of gRPC's. */
class MemoryStream extends Duplex {
  cancelled = false;

  constructor() {
    super({ objectMode: true, read: () => undefined, write: (_chunk, _encoding, done) => done() });
  }

  cancel(): void {
    this.cancelled = true;
    this.destroy();
  }
}

function put(revision: number, valueBytes: number): WatchMessage {
  const modRevision = revision as Revision;
  const value = Buffer.alloc(valueBytes);
  return {
    revision: modRevision,
    created: false,
    canceled: false,
    compactRevision: 0 as Revision,
    cancelReason: '',
    fragment: false,
    events: [{ type: 'put', key: '/a', value, modRevision, createRevision: modRevision }],
  };
}

async function nextRevision(watch: EtcdWatch): Promise<number> {
  const result = await watch.next();
  assert.ok(result.done !== true);
  return result.value.revision;
}

describe('etcd watch whose reader lags', () => {
  const MB = 1024 * 1024;

  it('stops its stream beyond 4 MB, and lets it go on when half of them are read', async () => {
    const stream = new MemoryStream();
    const watch = new EtcdWatch(
      { prefix: '/', from: 1 as Revision, previous: false },
      {
        checkState: () => Promise.resolve(),
        open: () => Promise.resolve({ stream, reliableProgress: false } as unknown as OpenedWatch),
        failed: () => undefined,
        started: () => undefined,
        ended: () => undefined,
        clock: new ManualClock(),
        random: () => 0,
        outage: new WatchOutage(() => undefined, new ManualClock()),
        idleMs: 1000,
      },
    );
    const first = watch.next();
    stream.push(put(1, MB));
    await first;
    for (let revision = 2; revision <= 9; revision++) stream.push(put(revision, MB));
    assert.equal(await nextRevision(watch), 2);
    // What the stream itself holds beyond the queue stays there.
    assert.deepEqual([stream.isPaused(), stream.readableLength > 0], [true, true]);
    const states: boolean[] = [];
    for (let revision = 3; revision <= 6; revision++) {
      assert.equal(await nextRevision(watch), revision);
      states.push(stream.isPaused());
    }
    assert.deepEqual(states, [true, false, false, false], 'paused until half is read');
    for (let revision = 7; revision <= 9; revision++) {
      assert.equal(await nextRevision(watch), revision);
    }
    await watch.return();
    assert.ok(stream.cancelled);
  });
});
