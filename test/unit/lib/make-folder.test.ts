import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../src/lib/make-folder.ts';

describe('a folder', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'orch-folder-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('is made with those above it, all with the same rights', async () => {
    const path = join(root, 'a', 'b', 'c');
    await makeFolder(path, 0o700);
    assert.equal(statSync(path).mode & 0o777, 0o700);
    assert.equal(statSync(join(root, 'a')).mode & 0o777, 0o700);
    await makeFolder(path);
  });

  it('is not made where something else stands', async () => {
    writeFileSync(join(root, 'file'), '');
    await assert.rejects(makeFolder(join(root, 'file')), { code: 'EEXIST' });
    await assert.rejects(makeFolder(join(root, 'file', 'below')), { code: 'ENOTDIR' });
  });

  it('is not tried for ever where the file system takes none', async function () {
    if (!existsSync('/proc/self')) this.skip();
    await assert.rejects(makeFolder('/proc/orch'), { code: 'ENOENT' });
    await assert.rejects(makeFolder('/proc/orch/a/b'), { code: 'ENOENT' });
  });
});
