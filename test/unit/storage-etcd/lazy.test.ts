import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

describe('etcd driver', () => {
  it('is loaded when a store is opened and not before', async () => {
    const index = join(import.meta.dirname, '../../../src/storage/etcd/index.ts');
    const program = `
      import { createRequire } from 'node:module';
      const { openEtcdStorage } = await import(${JSON.stringify(index)});
      const loaded = () => Object.keys(createRequire(${JSON.stringify(index)}).cache).some((path) => path.includes('etcd3'));
      const before = loaded();
      await openEtcdStorage({ endpoints: ['http://127.0.0.1:1'], deadlines: { connect: 1 }, clock: {
        now: Date.now, monotonic: Date.now, after: (ms, run) => { const t = setTimeout(run, ms); return () => clearTimeout(t); },
      } }).catch(() => undefined);
      console.log(before, loaded());`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    assert.equal(stdout.trim(), 'false true');
  });
});
