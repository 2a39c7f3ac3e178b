import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock.ts';
import { StorageError } from '../../../src/storage/errors.ts';
import { completeOptions } from '../../../src/storage/etcd/options.ts';
import type { EtcdOptions } from '../../../src/storage/etcd/options.ts';

const complete = (options: Partial<EtcdOptions>) =>
  completeOptions({ endpoints: ['http://127.0.0.1:2379'], clock: systemClock, ...options });

describe('etcd options', () => {
  const endpoints: [string, string, boolean][] = [
    ['http://127.0.0.1:2379', '127.0.0.1:2379', false],
    ['https://etcd.example:2379/', 'etcd.example:2379', true],
    ['https://[::1]:2379', '[::1]:2379', true],
    ['http://etcd', 'etcd:80', false],
    ['https://etcd:443', 'etcd:443', true],
  ];
  for (const [given, authority, secure] of endpoints) {
    it(`${given} is ${authority}`, async () => {
      const { endpoints: parsed } = await complete({ endpoints: [given] });
      assert.deepEqual([parsed[0]?.authority, parsed[0]?.secure], [authority, secure]);
    });
  }

  const bad: [string, Partial<EtcdOptions>, RegExp][] = [
    ['no endpoint', { endpoints: [] }, /no etcd endpoint/],
    [
      'an endpoint without a scheme',
      { endpoints: ['127.0.0.1:2379'] },
      /"127\.0\.0\.1:2379" is not of the form/,
    ],
    ['an endpoint with another scheme', { endpoints: ['ftp://etcd:2379'] }, /not of the form/],
    ['an empty endpoint', { endpoints: [''] }, /"" is not of the form/],
    ['an endpoint with a path', { endpoints: ['http://etcd:2379/v3'] }, /more than a host/],
    [
      'an endpoint with a user',
      { endpoints: ['http://me:secret@etcd:2379'] },
      /"http:\/\/etcd:2379" has more/,
    ],
    ['a certificate without its key', { tls: { certfile: 'c' } }, /both a certificate and a key/],
    [
      'a file that is not there',
      { tls: { cafile: '/nowhere/ca.crt' } },
      /certificate authority.*\/nowhere\/ca\.crt/,
    ],
    ['a user without a password', { username: 'root' }, /both a name and a password/],
  ];
  for (const [name, options, message] of bad) {
    it(`refuses ${name}`, async () => {
      await assert.rejects(complete(options), (error) => {
        assert.ok(error instanceof StorageError);
        assert.equal(error.code, 'invalid');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    });
  }

  it('reads certificate files, and trusts the well-known authorities without one', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'orch-etcd-options-'));
    try {
      const [certfile, keyfile] = [join(directory, 'c'), join(directory, 'k')];
      await writeFile(certfile, 'certificate');
      await writeFile(keyfile, 'key');
      const { tls } = await complete({ tls: { certfile, keyfile } });
      assert.deepEqual([String(tls?.certChain), String(tls?.privateKey)], ['certificate', 'key']);
      assert.match(String(tls?.rootCertificate), /BEGIN CERTIFICATE/);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('probes a key below the prefix', async () => {
    assert.equal((await complete({})).probeKey, '/registry/health');
    assert.equal((await complete({ prefix: '/other/' })).probeKey, '/other/health');
  });
});
