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
    const minute = async (): Promise<void> => {
      clock.advance(MINUTE);
      // The next look is planned when this one is over.
      while (clock.pending.length === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    return { said, minute, clock };
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
