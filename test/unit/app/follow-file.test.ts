import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followFile } from '../../../src/app/follow-file.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE = 60_000;

describe('a file that is followed', () => {
  let folder: string;
  let path: string;
  let stop: () => void;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'orch-follow-'));
    path = join(folder, 'file');
    writeFileSync(path, 'one');
    stop = () => undefined;
  });
  afterEach(() => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Follows with a clock that a test moves. */
  function follow(settled: (text: string) => boolean = () => true) {
    const clock = new ManualClock();
    const said: string[] = [];
    const say = (what: string): void => void said.push(what);
    stop = followFile({
      ...{ path, text: 'one', clock },
      onText: (text) => {
        say(text);
        return Promise.resolve(settled(text));
      },
      onError: (error) => say((error as NodeJS.ErrnoException).code ?? 'error'),
    });
    const planned = async (): Promise<void> => {
      while (clock.pending.length === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    /** The next look is planned when this one is over; one that a change in the folder calls for comes at once. */
    const minute = async (): Promise<void> => {
      clock.advance(MINUTE);
      await planned();
      while ((clock.pending[0] ?? 0) < 1000) {
        clock.advance(1000);
        await planned();
      }
    };
    /** Writes another file of the folder, and waits for the system to tell of it. */
    const stir = async (): Promise<void> => {
      const before = clock.pending.join();
      writeFileSync(join(folder, 'another'), 'x');
      for (let i = 0; i < 1000 && clock.pending.join() === before; i++) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { said, minute, planned, clock, stir };
  }

  it('is offered when it has changed, once', async () => {
    const { said, minute } = follow();
    await minute();
    assert.deepEqual(said, []);
    writeFileSync(path, 'two');
    await minute();
    await minute();
    assert.deepEqual(said, ['two']);
  });

  it('is offered again until that is settled', async () => {
    let accept = false;
    const { said, minute } = follow(() => accept);
    writeFileSync(path, 'two');
    await minute();
    await minute();
    accept = true;
    await minute();
    await minute();
    assert.deepEqual(said, ['two', 'two', 'two']);
  });

  it('may be away for a while', async () => {
    const { said, minute } = follow();
    unlinkSync(path);
    await minute();
    writeFileSync(path, 'two');
    await minute();
    assert.deepEqual(said, ['ENOENT', 'two']);
  });

  it('tells once a minute that it is away, however often its folder changes', async () => {
    const { said, minute, planned, clock, stir } = follow();
    unlinkSync(path);
    await minute();
    for (let i = 0; i < 3; i++) {
      await stir();
      clock.advance(1000);
      await planned();
    }
    assert.deepEqual(said, ['ENOENT']);
    await minute();
    assert.deepEqual(said, ['ENOENT', 'ENOENT']);
  });

  it('is read within a second where its folder never rests', async () => {
    const { said, planned, clock, stir } = follow();
    writeFileSync(path, 'two');
    for (let i = 0; i < 20 && clock.pending.length > 0; i++) {
      await stir();
      clock.advance(80);
    }
    assert.ok(clock.now() <= 1100, `${clock.now()} ms`);
    await planned();
    assert.deepEqual(said, ['two']);
  });

  it('is read at once when its folder changes, as mounted volumes do', async () => {
    writeFileSync(join(folder, 'real-1'), 'one');
    unlinkSync(path);
    symlinkSync('real-1', path);
    const changed = new Promise<string>((resolve) => {
      stop = followFile({
        ...{ path, text: 'one', clock: systemClock },
        onText: (text) => {
          resolve(text);
          return Promise.resolve(true);
        },
        onError: assert.ifError,
      });
    });
    writeFileSync(join(folder, 'real-2'), 'two');
    symlinkSync('real-2', join(folder, 'next'));
    renameSync(join(folder, 'next'), path);
    assert.equal(await changed, 'two');
  });
});
