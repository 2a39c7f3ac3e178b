import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { serviceAccountTokens } from '../../../../src/authn/service-account/authenticator.ts';
import { extraNames } from '../../../../src/authn/service-account/bound.ts';
import { claimNames } from '../../../../src/authn/service-account/claims.ts';
import { tokenIssuer, type BoundToken } from '../../../../src/authn/service-account/issuer.ts';
import { KeySet, signingKey } from '../../../../src/authn/service-account/keys.ts';
import type { TokenAuthenticator } from '../../../../src/authn/token.ts';
import { loadNames } from '../../../../src/names/load.ts';
import type { StoredEntry } from '../../../../src/store/object-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const SECONDS = NOW / 1000;
const ISSUER = 'https://issuer';
const names = loadNames({ profile: 'kubernetes' });
const claims = claimNames(names);
const ec = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const rsa = signingKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
const stranger = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const issuer = tokenIssuer(ec, ISSUER, claims);

interface Fake {
  readonly uid: string;
  readonly deleted?: string;
  readonly labels?: Record<string, string>;
  readonly token?: string;
  /** Of an account: names of Secrets. */
  readonly secrets?: readonly string[];
}

const entry = ({ uid, deleted, labels, token, secrets = [] }: Fake, name: string): StoredEntry =>
  ({
    ...{ uid, name, namespace: 'n', labels },
    object: () => ({
      metadata: { ...(deleted === undefined ? {} : { deletionTimestamp: deleted }) },
      ...(token === undefined ? {} : { data: { token: Buffer.from(token).toString('base64') } }),
      secrets: secrets.map((secret) => ({ name: secret })),
    }),
  }) as unknown as StoredEntry;

/** A server with some objects, by `resource/name`. */
class World {
  readonly clock = new ManualClock(NOW);
  readonly cached = new Map<string, StoredEntry>();
  readonly live = new Map<string, StoredEntry>();
  readonly used: string[] = [];
  readonly counted: string[] = [];
  readonly authenticate: TokenAuthenticator;
  reads = 0;

  constructor({ lookup = true, keys = [ec.verifying] } = {}) {
    this.put('serviceaccounts/a', { uid: 'u' });
    this.authenticate = serviceAccountTokens({
      keys: new KeySet(keys),
      issuers: [ISSUER, 'https://older'],
      audiences: ['api'],
      claims,
      extra: extraNames(names),
      find: ({ resource, name }, freshness) => {
        this.reads++;
        return Promise.resolve((freshness === 'live' ? this.live : this.cached).get(`${resource}/${name}`));
      },
      legacy: {
        lookup,
        labels: {
          lastUsed: names.get('label.legacy-token-last-used'),
          invalidSince: names.get('label.legacy-token-invalid-since'),
        },
        onUse: (secret, today) => this.used.push(`${secret.name} ${today}`),
      },
      now: () => this.clock.now(),
      onToken: (use) => this.counted.push(use),
      annotations: {
        ...{ stale: 'stale', legacy: 'legacy', generated: 'generated', manual: 'manual' },
        invalidated: 'invalidated',
      },
    });
  }

  put(key: string, fake: Fake): void {
    const made = entry(fake, key.split('/')[1] ?? '');
    this.cached.set(key, made);
    this.live.set(key, made);
  }

  remove(key: string): void {
    this.cached.delete(key);
    this.live.delete(key);
  }
}

/** What the request that brings a token is told of it. */
class Noted {
  readonly all: string[] = [];

  annotate(name: string, text: string): void {
    this.all.push(`${name}=${text}`);
  }

  warn(): void {
    this.all.push('a warning');
  }
}

const token = (changes: Partial<BoundToken> = {}, by = issuer): string =>
  by.issueToken({
    ...{ namespace: 'n', account: { name: 'a', uid: 'u' }, audiences: ['api'], id: 'j' },
    ...{ issuedAt: SECONDS, expiresAfter: 3600 },
    ...changes,
  });

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const parts = (from: string): [string, string, string] => from.split('.') as [string, string, string];
/** The same payload under another header and signature. */
const forged = (header: object, sign: (input: string) => string): string => {
  const input = `${encode(header)}.${parts(token())[1]}`;
  return `${input}.${sign(input)}`;
};
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

describe('tokens of service accounts', () => {
  it('stand for the account, its groups and what the token says of where it is used', async () => {
    const world = new World();
    world.put('pods/p', { uid: 'pu' });
    const bound = token({ pod: { name: 'p', uid: 'pu' }, node: { name: 'w', uid: 'wu' } });
    assert.deepEqual(await world.authenticate(bound, ['api']), {
      user: {
        name: 'system:serviceaccount:n:a',
        uid: 'u',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/credential-id': ['JTI=j'],
          'authentication.kubernetes.io/node-name': ['w'],
          'authentication.kubernetes.io/node-uid': ['wu'],
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['pu'],
        },
      },
      audiences: ['api'],
    });
  });

  it('are for those of the wanted audiences that they name', async () => {
    const { authenticate } = new World();
    const known = await authenticate(token({ audiences: ['b', 'api', 'c'] }), ['c', 'x', 'b']);
    assert.deepEqual(known?.audiences, ['b', 'c']);
    await assert.rejects(
      authenticate(token({ audiences: ['b'] }), ['api']),
      /is for \["b"\], not for \["api"\]/,
    );
  });

  it('are taken by any of several keys and issuers', async () => {
    const { authenticate } = new World({ keys: [rsa.verifying, ec.verifying] });
    assert.ok(await authenticate(token({}, tokenIssuer(rsa, 'https://older', claims)), ['api']));
    assert.ok(await authenticate(token(), ['api']));
  });

  it('have their signature verified once, and what they end with looked up each time', async () => {
    const world = new World();
    const one = token();
    const first = await world.authenticate(one, ['api']);
    const second = await world.authenticate(one, ['api']);
    assert.equal(second?.user, first?.user);
    assert.equal(world.reads, 2);
  });

  it('are refused for the same reason each time', async () => {
    const { authenticate } = new World();
    const [head, , signature] = parts(token());
    const others = (i: number): string => `${head}.${parts(token({ id: `${i}` }))[1]}.${signature}`;
    for (const one of [others(1), others(2), others(1), others(2)]) {
      await assert.rejects(authenticate(one, ['api']), /^Error: invalid signature$/);
    }
    assert.ok(await authenticate(token(), ['api']));
  });

  it('are counted where clients are to renew them, and noted when they have not', async () => {
    const world = new World();
    const renewed = token({ warnAfter: 600 });
    await world.authenticate(token(), ['api']);
    await world.authenticate(renewed, ['api']);
    world.clock.advance(601_000);
    const noted = new Noted();
    await world.authenticate(renewed, ['api'], noted);
    assert.deepEqual(world.counted, ['valid', 'stale']);
    const note = 'stale=subject: system:serviceaccount:n:a, seconds after warning threshold: 1';
    assert.deepEqual(noted.all, [note]);
  });

  for (const [name, made] of [
    ['nothing at all', ''],
    ['no JWT', 'abc'],
    ['two parts', 'a.b'],
    ['JSON', '{"payload":"x"}'],
    ['a payload that is no JSON', `${encode({ alg: 'ES256' })}.AAAA.AAAA`],
    ['a payload that is no object', `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode([])}.AAAA`],
    ['more than 64 KiB', token({ audiences: ['x'.repeat(70_000)] })],
    ['an issuer that is none of ours', token({}, tokenIssuer(ec, 'https://other', claims))],
  ] as const) {
    it(`are no matter of this method: ${name}`, async () => {
      assert.equal(await new World().authenticate(made, ['api']), undefined);
    });
  }

  const hmac = (secret: string) => (input: string) =>
    createHmac('sha256', secret).update(input).digest('base64url');
  const [header, payload, signature] = parts(token());
  const kid = ec.verifying.id;
  const strangersToken = token({}, tokenIssuer(stranger, ISSUER, claims));
  for (const [name, made, reason] of [
    ['no algorithm', forged({ alg: 'none', kid }, () => ''), /signature is required/],
    ['no algorithm, spelled otherwise', forged({ alg: 'nOnE', kid }, () => signature), /./],
    ['no algorithm and a signature', forged({ alg: 'none', kid }, () => signature), /./],
    ['HS256 with the public key', forged({ alg: 'HS256', kid }, hmac(pem(ec.verifying.key))), /algorithm/],
    ['HS256 with an empty key', forged({ alg: 'HS256', kid }, hmac('')), /algorithm/],
    ['RS256 for an ECDSA key', forged({ alg: 'RS256', kid }, () => signature), /algorithm/],
    ['ES384 for a key on P-256', forged({ alg: 'ES384', kid }, () => signature), /algorithm/],
    [
      'a key of its own',
      forged({ alg: 'ES256', jwk: stranger.verifying.key.export({ format: 'jwk' }) }, () => signature),
      /signature/,
    ],
    ['the key of a stranger', strangersToken, /no key of that name/],
    [
      'the name of our key and the key of a stranger',
      `${header}.${parts(strangersToken).slice(1).join('.')}`,
      /invalid signature/,
    ],
    [
      'no name of a key, and the key of a stranger',
      forged({ alg: 'ES256' }, () => parts(strangersToken)[2]),
      /invalid signature/,
    ],
    ['an empty signature', `${header}.${payload}.`, /signature is required/],
    ['a signature of zeros', `${header}.${payload}.${'A'.repeat(86)}`, /invalid signature/],
    [
      'a changed payload',
      `${header}.${parts(token({ account: { name: 'b', uid: 'u' } }))[1]}.${signature}`,
      /invalid signature/,
    ],
    [
      'critical headers',
      forged({ alg: 'ES256', kid, crit: ['b64'], b64: false }, () => signature),
      /critical/,
    ],
    ['another uid of the account', token({ account: { name: 'a', uid: 'old' } }), /does not exist any more/],
    ['an account that never was', token({ account: { name: 'b', uid: 'u' } }), /does not exist any more/],
    ['no account', token({ account: { name: '', uid: '' } }), /names no service account/],
    ['a Pod that is gone', token({ pod: { name: 'p', uid: 'x' } }), /invalidated: its Pod/],
    ['a Secret that is gone', token({ secret: { name: 's', uid: 'x' } }), /invalidated: its Secret/],
    ['a Node that is gone', token({ node: { name: 'w', uid: 'x' } }), /invalidated: its Node/],
    ['a time long past', token({ issuedAt: SECONDS - 7200 }), /has expired/],
    ['a time to come', token({ issuedAt: SECONDS + 61 }), /not valid yet/],
  ] as const) {
    it(`are refused with ${name}`, async () => {
      const { authenticate } = new World();
      await assert.rejects(authenticate(made, ['api']), (error: Error) => {
        assert.match(error.message, reason);
        assert.ok(!error.message.includes(signature), 'an error holds the token');
        return true;
      });
    });
  }

  it('may come from clocks that are a minute fast or slow', async () => {
    const world = new World();
    assert.ok(await world.authenticate(token({ issuedAt: SECONDS + 60 }), ['api']));
    const old = token({ issuedAt: SECONDS - 3660 });
    assert.ok(await world.authenticate(old, ['api']));
    world.clock.advance(1000);
    await assert.rejects(world.authenticate(old, ['api']), /has expired/);
  });

  it('end at once with the account, however often they were taken before', async () => {
    const world = new World();
    const one = token();
    assert.ok(await world.authenticate(one, ['api']));
    world.remove('serviceaccounts/a');
    await assert.rejects(world.authenticate(one, ['api']), /does not exist any more/);
    world.put('serviceaccounts/a', { uid: 'made anew' });
    await assert.rejects(world.authenticate(one, ['api']), /does not exist any more/);
  });

  it('last for a minute after the deletion of a Pod began', async () => {
    const world = new World();
    const one = token({ pod: { name: 'p', uid: 'pu' } });
    world.put('pods/p', { uid: 'pu', deleted: new Date(NOW).toISOString() });
    world.clock.advance(60_000);
    assert.ok(await world.authenticate(one, ['api']));
    world.clock.advance(1000);
    await assert.rejects(world.authenticate(one, ['api']), /invalidated/);
  });

  it('are taken for an account that the cache does not know yet', async () => {
    const world = new World();
    world.cached.clear();
    assert.ok(await world.authenticate(token(), ['api']));
  });
});

describe('tokens of Secrets', () => {
  const account = { namespace: 'n', name: 'a', uid: 'u' };
  const legacy = issuer.issueLegacyToken(account, { name: 's' });

  it('stand for the account while the Secret holds them', async () => {
    const world = new World();
    world.put('secrets/s', { uid: 'su', token: legacy });
    const known = await world.authenticate(legacy, ['api', 'x']);
    assert.deepEqual(known, {
      user: {
        name: 'system:serviceaccount:n:a',
        uid: 'u',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
        extra: {},
      },
      audiences: ['api'],
    });
    world.remove('secrets/s');
    await assert.rejects(world.authenticate(legacy, ['api']), /invalidated/);
  });

  it('are told of on the first use of a day', async () => {
    const world = new World();
    const label = names.get('label.legacy-token-last-used');
    for (const lastUsed of ['', '2026-01-01', '2026-01-02', '2026-01-03']) {
      world.put('secrets/s', { uid: 'su', token: legacy, labels: { [label]: lastUsed } });
      await world.authenticate(legacy, ['api']);
    }
    assert.deepEqual(world.used, ['s 2026-01-02', 's 2026-01-02']);
  });

  for (const [name, secret, reason] of [
    ['holds another token', { uid: 'su', token: `${legacy}x` }, /no Secret holds it/],
    ['holds none', { uid: 'su' }, /no Secret holds it/],
    ['is being deleted', { uid: 'su', token: legacy, deleted: new Date(NOW).toISOString() }, /no Secret/],
    [
      'is marked as invalid',
      { uid: 'su', token: legacy, labels: { [names.get('label.legacy-token-invalid-since')]: '2026-01-01' } },
      /has been marked as invalid/,
    ],
  ] as const) {
    it(`are refused where the Secret ${name}`, async () => {
      const world = new World();
      world.put('secrets/s', secret);
      await assert.rejects(world.authenticate(legacy, ['api']), reason);
    });
  }

  it('are refused for another audience, and where their claims disagree', async () => {
    const world = new World();
    world.put('secrets/s', { uid: 'su', token: legacy });
    await assert.rejects(world.authenticate(legacy, ['x']), /not for \["x"\]/);
    const other = tokenIssuer(ec, claims.legacyIssuer, claims).issueToken({
      ...{ namespace: 'n', account: { name: 'a', uid: 'u' }, audiences: [], id: '' },
      ...{ issuedAt: SECONDS, expiresAfter: 3600 },
    });
    await assert.rejects(world.authenticate(other, ['api']), /is missing/);
  });

  const invalid = { [names.get('label.legacy-token-invalid-since')]: '2026-01-01' };
  for (const [name, account, labels, uses, notes] of [
    ['by hand', {}, {}, ['legacy', 'manual'], ['legacy=system:serviceaccount:n:a', 'manual=s']],
    [
      'for their account',
      { secrets: ['t', 's'] },
      {},
      ['legacy', 'generated'],
      ['legacy=system:serviceaccount:n:a', 'generated=s', 'a warning'],
    ],
    [
      'and marked as invalid',
      { secrets: ['s'] },
      invalid,
      ['legacy', 'invalidated'],
      ['legacy=system:serviceaccount:n:a', 'invalidated=s/n'],
    ],
  ] as const) {
    it(`are counted and noted as made ${name}`, async () => {
      const world = new World();
      world.put('serviceaccounts/a', { uid: 'u', ...account });
      world.put('secrets/s', { uid: 'su', token: legacy, labels });
      const noted = new Noted();
      await world.authenticate(legacy, ['api'], noted).catch(() => undefined);
      assert.deepEqual(world.counted, uses);
      assert.deepEqual(noted.all, notes);
    });
  }

  it('last without their Secret where nothing is looked up', async () => {
    assert.ok(await new World({ lookup: false }).authenticate(legacy, ['api']));
  });
});
