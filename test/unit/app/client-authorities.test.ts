import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { ClientAuthorities } from '../../../src/app/client-authorities.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const [ONE = '', OTHER = ''] = rootCertificates;

describe('authorities of clients', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'orch-authorities-'));
    path = join(folder, 'ca.crt');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What becomes of a file that holds `next` instead of one authority. */
  async function replaceBy(next: string): Promise<string> {
    writeFileSync(path, ONE);
    const clock = new ManualClock();
    const authorities = new ClientAuthorities({
      own: undefined,
      clients: { flag: 'client-ca-file', path, text: ONE },
      proxies: { flag: 'requestheader-client-ca-file', path: '', text: '' },
    });
    return new Promise((resolve) => {
      const end = (said: string): void => {
        stop();
        resolve(said);
      };
      const log = {
        info: () => end(authorities.text('clients') === next ? 'replaced' : 'other'),
        error: (_: string, error: unknown) =>
          end(`${(error as Error).message}, ${authorities.text('clients') === ONE ? 'kept' : 'lost'}`),
      };
      const stop = authorities.follow({ clock, log, use: () => undefined });
      writeFileSync(path, next);
      clock.advance(60_000);
    });
  }

  for (const [what, next, expected] of [
    ['two', `${ONE}\n${OTHER}`, 'replaced'],
    ['none', 'nothing', 'holds no certificate in PEM form, kept'],
    [
      'one and half of another',
      `${ONE}\n${OTHER.slice(0, 300)}`,
      'holds a certificate that is not whole, kept',
    ],
    [
      'one and the damaged data of another',
      `${ONE}\n${OTHER.replace('MII', '!!!')}`,
      'holds a certificate that is not whole, kept',
    ],
  ] as const) {
    it(`are followed: a file with ${what}: ${expected}`, async () => {
      assert.equal(await replaceBy(next), expected);
    });
  }
});
