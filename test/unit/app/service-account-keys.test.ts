import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureTokenKey } from '../../../src/app/token-key.ts';
import { openTokenKeys } from '../../../src/app/token-keys.ts';
import { readSigningKey } from '../../../src/authn/service-account/keys.ts';
import { readCommandLine, type Request } from '../../../src/app/options/command-line.ts';

const machine = { workingDirectory: '/work', hostname: 'host-1', addresses: ['192.0.2.7'] };
const read = (...argv: string[]): Request => readCommandLine({ argv, env: {}, machine, release: '1.32' });

function serve(...argv: string[]): Extract<Request, { kind: 'serve' }> {
  const request = read(...argv);
  assert.ok(request.kind === 'serve', JSON.stringify(request));
  return request;
}

describe('flags of service-account tokens', () => {
  it('name this server by its issuers, and the profile names the issuer, where they leave that open', () => {
    const { config } = serve();
    assert.deepEqual(config.serviceAccounts.issuers, ['https://orch.default.svc']);
    assert.deepEqual(config.authentication.apiAudiences, ['https://orch.default.svc']);
    const given = serve('--service-account-issuer=https://a', '--service-account-issuer=https://b').config;
    assert.deepEqual(given.authentication.apiAudiences, ['https://a', 'https://b']);
    assert.deepEqual(serve('--api-audiences=x,y').config.authentication.apiAudiences, ['x', 'y']);
  });

  for (const [flags, problem] of [
    [['--service-account-issuer='], /can't be empty/],
    [['--service-account-issuer=a b:c'], /holds a colon and is no URL/],
    [['--service-account-issuer=https://a', '--service-account-issuer=https://a'], /given twice/],
    [['--service-account-jwks-uri=http://a'], /is no https URL/],
    [['--service-account-jwks-uri=a'], /is no https URL/],
    [['--service-account-max-token-expiration=59m'], /between 1h and 2\^32 seconds/],
    [['--service-account-max-token-expiration=-1h'], /./],
  ] as const) {
    it(`refuse ${flags.join(' ')}`, () => {
      const request = read(...flags);
      assert.ok(request.kind === 'problems');
      assert.match(request.problems.join('\n'), problem);
    });
  }

  for (const [expiration, warning] of [
    ['1h', /shorter than what pods ask for/],
    ['2h', /valid for a year, longer than/],
    ['8760h', undefined],
  ] as const) {
    it(`say what a longest life of ${expiration} is worth where tokens of pods are extended`, () => {
      const flag = `--service-account-max-token-expiration=${expiration}`;
      const { warnings } = serve(flag);
      if (warning === undefined) assert.deepEqual(warnings, []);
      else assert.match(warnings.join('\n'), warning);
      assert.deepEqual(serve(flag, '--service-account-extend-token-expiration=false').warnings, []);
    });
  }
});

describe('the keys that service-account tokens are signed with', () => {
  let directory: string;
  const pem = (type: 'ec' | 'ed25519'): string => {
    const { privateKey } =
      type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  };
  const [given, serving, generated] = [pem('ec'), pem('ec'), pem('ec')];
  const idOf = (key: string): string => readSigningKey(key).verifying.id;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'orch-keys-'));
    writeFileSync(join(directory, 'given.key'), given);
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const configOf = (...flags: string[]) => serve(`--cert-dir=${directory}`, ...flags).config;

  it('are the given one, else the TLS key, else a generated one', async () => {
    const flag = `--service-account-signing-key-file=${join(directory, 'given.key')}`;
    const both = { servingKey: serving, generated };
    const signer = async (
      config: ReturnType<typeof configOf>,
      sources: Parameters<typeof openTokenKeys>[1],
    ) => (await openTokenKeys(config, sources)).signing.verifying.id;
    assert.equal(await signer(configOf(flag), both), idOf(given));
    assert.equal(await signer(configOf(), both), idOf(serving));
    assert.equal(await signer(configOf(), { servingKey: undefined, generated }), idOf(generated));
    // A TLS key may be of a kind that tokens have no algorithm for.
    const own = await signer(configOf(), { servingKey: pem('ed25519'), generated: undefined });
    assert.equal(own, idOf(readFileSync(join(directory, 'sa.key'), 'utf8')));
  });

  it('verify, too, beside those of files', async () => {
    const config = configOf(`--service-account-key-file=${join(directory, 'given.key')}`);
    const { verifying } = await openTokenKeys(config, { servingKey: undefined, generated });
    assert.deepEqual(
      verifying.all.map(({ id }) => id),
      [idOf(generated), idOf(given)],
    );
  });

  it('are told of as wrong with every bad file by its flag', async () => {
    writeFileSync(join(directory, 'bad'), 'x');
    const bad = join(directory, 'bad');
    const config = configOf(
      `--service-account-signing-key-file=${bad}`,
      `--service-account-key-file=${bad}`,
      `--service-account-key-file=${join(directory, 'absent')}`,
    );
    const opening = openTokenKeys(config, { servingKey: undefined, generated });
    await assert.rejects(opening, (error: AggregateError) => {
      assert.deepEqual((error.errors as Error[]).map(({ message }) => message.split(':')[0]).sort(), [
        '--service-account-key-file',
        '--service-account-key-file',
        '--service-account-signing-key-file',
      ]);
      return true;
    });
  });

  it('are generated once, for their owner alone, also by servers that start at once', async () => {
    const all = await Promise.all([1, 2, 3].map(() => ensureTokenKey(directory)));
    assert.equal(new Set(all).size, 1);
    assert.equal(statSync(join(directory, 'sa.key')).mode & 0o777, 0o600);
    writeFileSync(join(directory, 'sa.key'), 'cut short');
    await assert.rejects(ensureTokenKey(directory), /is damaged/);
  });
});
