import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { refusedWith } from '../contract/storage-support.ts';

const program = new URL('embedded-server.ts', import.meta.url);

describe('embedded store, two processes', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'orch-owner-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const open = () => openEmbeddedStorage({ directory, history: 0, clock: systemClock });

  it('the second is refused by name, the first goes on, and a kill leaves nothing in the way', async () => {
    const owner = fork(program, [directory, '0'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const gone = once(owner, 'close');
    try {
      assert.deepEqual(await once(owner, 'message'), ['ready', undefined]);
      for (let i = 0; i < 3; i++) {
        const error = await refusedWith('unavailable', open());
        assert.match(error.message, new RegExp(`${directory} is in use by process ${owner.pid}:`));
      }
      owner.send({ id: 1, do: 'write', write: { key: 'a', expected: 0, value: '1' } });
      assert.deepEqual(await once(owner, 'message'), [{ id: 1, ok: true, answer: 2 }, undefined]);
    } finally {
      owner.kill('SIGKILL');
      await gone;
    }
    const storage = await open();
    assert.equal(await storage.currentRevision(), 2);
    await storage.close();
  });

  it('refuses a child of the owner while the owner lives, however often it tries', async () => {
    const storage = await open();
    for (let i = 0; i < 2; i++) {
      const child = fork(program, [directory, '0'], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
      let text = '';
      child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number];
      assert.notEqual(code, 0);
      assert.match(text, new RegExp(`${directory} is in use by process ${process.pid}:`));
    }
    assert.ok((await storage.create('/a', Buffer.from('1'))).ok);
    await storage.close();
  });
});
