import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followServingCertificate, type FollowParts } from '../../../src/app/serving-certificate.ts';
import { selfSigned, type TestCertificate } from '../../support/certificates.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE = 60_000;

describe('followServingCertificate', () => {
  let directory: string;
  let clock: ManualClock;
  let used: unknown[];
  let logged: string[];
  let first: TestCertificate;
  let second: TestCertificate;
  let noted: () => void;

  before(async () => {
    [first, second] = await Promise.all([selfSigned(), selfSigned()]);
  });
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'orch-serving-'));
    clock = new ManualClock();
    [used, logged, noted] = [[], [], () => undefined];
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const file = (name: string): string => join(directory, name);
  const write = ({ cert, key }: TestCertificate): void => {
    writeFileSync(file('tls.crt'), cert);
    writeFileSync(file('tls.key'), key);
  };
  const follow = (certificateFile = file('tls.crt')): (() => void) => {
    const note = (message: string): void => {
      logged.push(message);
      noted();
    };
    const parts = {
      config: { serving: { certificateFile, keyFile: file('tls.key') }, authentication: {} },
      current: first,
      clock,
      log: { info: note, error: (message: string, error: Error) => note(`${message}: ${error.message}`) },
      use: (pair: unknown) => void used.push(pair),
    };
    return followServingCertificate(parts as unknown as FollowParts);
  };
  /** Lets a minute pass, and waits until something has been said of it. */
  const minuteThatIsNoted = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    noted = resolve;
    clock.advance(MINUTE);
    await promise;
    // The next minute begins in a later turn.
    while (clock.pending.length === 0) await new Promise(setImmediate);
  };

  it('serves with the pair that the files hold within a minute of its change', async () => {
    write(first);
    const end = follow();
    write(second);
    await minuteThatIsNoted();
    assert.deepEqual(used, [{ cert: second.cert, key: second.key }]);
    write(first);
    await minuteThatIsNoted();
    assert.equal(used.length, 2);
    end();
    assert.deepEqual(clock.pending, []);
  });

  it('keeps what it has while the files do not belong together, and says so', async () => {
    write(first);
    const end = follow();
    writeFileSync(file('tls.crt'), second.cert);
    await minuteThatIsNoted();
    assert.deepEqual(used, []);
    assert.match(logged[0] ?? '', /stays as it was: --tls-private-key-file: \S+ is not the key of/);
    writeFileSync(file('tls.key'), second.key);
    await minuteThatIsNoted();
    assert.equal(used.length, 1);
    end();
  });

  it('keeps what it has while a file is missing', async () => {
    const end = follow(file('none'));
    await minuteThatIsNoted();
    assert.deepEqual(used, []);
    assert.match(logged[0] ?? '', /--tls-cert-file/);
    end();
  });

  it('does nothing where certificates are generated', () => {
    follow('');
    assert.deepEqual(clock.pending, []);
  });
});
