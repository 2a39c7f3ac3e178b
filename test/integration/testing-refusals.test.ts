import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startControlPlane, type TestControlPlane } from '../../src/testing/index.ts';

/** Who may write everywhere can't be kept from it. */
const isRoot = process.getuid?.() === 0;

describe('what control planes for tests refuse', function () {
  this.timeout(60_000);
  let plane: TestControlPlane;
  let folder: string;
  const place = process.env['TMPDIR'];
  beforeEach(async () => {
    plane = await startControlPlane();
    folder = mkdtempSync(join(tmpdir(), 'orch-refusals-'));
  });
  afterEach(async () => {
    if (place === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = place;
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('everything but stopping, once they are stopped', async () => {
    const snapshot = await plane.snapshot();
    await Promise.all([plane.stop(), plane.stop()]);
    await plane.stop();
    for (const refused of [plane.fork(), plane.snapshot(), plane.restore(snapshot)]) {
      await assert.rejects(refused, { message: 'the control plane is stopped' });
    }
    await assert.rejects(plane.client.json({ path: '/version' }));
  });

  it('a snapshot of another one, which goes on', async () => {
    await using other = await startControlPlane();
    await assert.rejects(other.restore(await plane.snapshot()), TypeError);
    await other.client.json({ path: '/version' });
  });

  it('what is asked while they stop comes to its end before', async () => {
    const forking = plane.fork();
    const stopped = plane.stop();
    await using fork = await forking;
    await stopped;
    await fork.client.json({ path: '/version' });
  });

  for (const { title, parent } of [
    { title: 'that is not there', parent: () => join(folder, 'missing') },
    { title: 'that is a file', parent: () => file(join(folder, 'file')) },
    ...(isRoot ? [] : [{ title: 'that may not be written', parent: () => readOnly(folder) }]),
  ]) {
    it(`a temporary folder ${title}, by its name`, async () => {
      const path = parent();
      process.env['TMPDIR'] = path;
      await assert.rejects(startControlPlane(), (error: Error) => {
        assert.ok(error.message.includes(path), error.message);
        return /TMPDIR/.test(error.message);
      });
    });
  }

  it('a restore of a snapshot that is lost, and are as they were', async () => {
    const configMaps = plane.client.resource('v1', 'ConfigMap').namespace('default');
    const snapshot = await plane.snapshot();
    await configMaps.create({ metadata: { name: 'a' } });
    const own = dirname(plane.kubeconfigFile);
    for (const name of readdirSync(own).filter((one) => one.startsWith('snapshot-'))) {
      rmSync(join(own, name), { recursive: true });
    }
    await assert.rejects(plane.restore(snapshot), /snapshot-/);
    assert.equal((await configMaps.get('a')).metadata.name, 'a');
    await plane.stop();
    assert.equal(existsSync(own), false);
  });
});

function file(path: string): string {
  writeFileSync(path, '');
  return path;
}

function readOnly(path: string): string {
  chmodSync(path, 0o500);
  return path;
}
