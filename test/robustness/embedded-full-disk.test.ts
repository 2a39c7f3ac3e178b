import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkStore } from './embedded-check.ts';

/** Runs a command where `directory` is a disk of 6 MB, in name spaces of its own, which needs no privileges. */
function onSmallDisk(directory: string, command: string) {
  const script = `mount -t tmpfs -o size=6m tmpfs ${directory} && ${command}`;
  const unshare = ['--user', '--map-root-user', '--mount', 'sh', '-c', script];
  return spawnSync('unshare', unshare, { encoding: 'utf8', timeout: 60_000 });
}

describe('embedded store, full disk', () => {
  let directory: string;
  before(async function () {
    directory = await mkdtemp(join(tmpdir(), 'orch-full-'));
    const probe = onSmallDisk(directory, 'true');
    if (probe.status === 0) return;
    const why = probe.error?.message ?? probe.stderr.trim();
    if (this.test?.parent !== undefined) this.test.parent.title += ` (skipped: no small disk here: ${why})`;
    this.skip();
  });
  after(() => rm(directory, { recursive: true }));

  it('fails writes as noSpace, tears nothing, and goes on when there is space again', async function () {
    this.timeout(60_000);
    const program = new URL('embedded-disk-filler.ts', import.meta.url).pathname;
    const disk = join(directory, 'disk');
    const kept = join(directory, 'kept');
    const steps = [
      `head -c 2000000 /dev/zero >${disk}/ballast`,
      `${process.execPath} ${program} ${disk}/store ${disk}/ballast`,
      // The small disk ends with the command: what is left on it is looked at afterwards.
      `cp -r ${disk}/store ${kept}`,
    ];
    await mkdir(disk);
    const { status, stdout, stderr } = onSmallDisk(disk, steps.join(' && '));
    assert.equal(status, 0, stderr);
    const story = JSON.parse(stdout) as {
      codes: string[];
      acknowledged: number;
      counts: [number, number, number];
      revisions: [number, number, number, number];
    };
    assert.deepEqual(story.codes, ['noSpace', 'noSpace', 'noSpace']);
    assert.ok(story.acknowledged > 100, `${story.acknowledged} fitted`);
    const [whenFull, reopened, after] = story.counts;
    assert.equal(whenFull, reopened);
    assert.equal(after, story.acknowledged);
    assert.equal(story.revisions[0], whenFull + 1);
    assert.deepEqual(story.revisions.slice(1, 3), [story.revisions[0], story.revisions[0]]);
    assert.equal(story.revisions[3], after + 2, 'revisions go on where they were');
    await checkStore(kept);
  });
});
