import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findGo } from './go-clients.ts';

const SOURCE = join(import.meta.dirname, 'envtest');
const MAKE_ASSETS = join(import.meta.dirname, '../../hack/envtest-assets');

/** The Go tests in `envtest/`, on the folder that `make envtest-assets` makes. */
describe("controller-runtime's envtest", function () {
  this.timeout(600_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'orch-envtest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('starts, uses and stops a control plane from our assets, and leaves nothing', function () {
    const go = findGo();
    if (go === undefined) this.skip();
    const assets = join(folder, 'assets');
    const temporary = mkdtempSync(join(folder, 'tmp-'));
    const made = spawnSync(MAKE_ASSETS, [assets], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    assert.equal(made.stdout.trim(), assets);
    const env = { ...process.env, KUBEBUILDER_ASSETS: assets, TMPDIR: temporary };
    const tested = spawnSync(go, ['test', '-count=1', './...'], { cwd: SOURCE, env, encoding: 'utf8' });
    assert.equal(tested.status, 0, tested.stdout + tested.stderr);
    // Node's own, for the next start.
    assert.deepEqual(
      readdirSync(temporary).filter((name) => name !== 'node-compile-cache'),
      [],
    );
  });

  it('says what is wrong with flags as it says it to everybody', () => {
    const assets = join(folder, 'assets');
    spawnSync(MAKE_ASSETS, [assets]);
    const { status, stderr } = spawnSync(join(assets, 'kube-apiserver'), ['--secure-prt=1'], {
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /unknown flag: --secure-prt \(is --secure-port meant\?\)/);
  });
});
