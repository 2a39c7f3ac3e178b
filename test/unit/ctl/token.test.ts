import assert from 'node:assert/strict';
import { runLine, type Answers, type LineResult } from '../../support/run-line.ts';

const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const CREATE = `POST ${SECRETS}?fieldManager=orchctl-token`;

const run = (line: string, answers: Answers = {}): Promise<LineResult> =>
  runLine(line.split(' '), { answers });
const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** The Secret that was sent, its values as texts. */
function sentSecret({ requests }: LineResult): { name: string; type: string; data: Record<string, string> } {
  const body = requests.find(({ method }) => method === 'POST')?.body;
  const { metadata, type, data } = JSON.parse(String(body)) as {
    metadata: { name: string };
    type: string;
    data: Record<string, string>;
  };
  const texts = Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]);
  return { name: metadata.name, type, data: Object.fromEntries(texts) as Record<string, string> };
}

describe('orchctl token', () => {
  it('makes up tokens without asking anybody', async () => {
    const [one, other] = [await run('token generate'), await run('token generate')];
    assert.match(one.stdout, /^[a-z0-9]{6}\.[a-z0-9]{16}\n$/);
    assert.notEqual(one.stdout, other.stdout);
    assert.deepEqual(one.requests, []);
  });

  it('creates one that signs and authenticates for a day', async () => {
    const result = await run('token create abcdef.0123456789abcdef --description=why', { [CREATE]: {} });
    assert.equal(result.stdout, 'abcdef.0123456789abcdef\n');
    const { data, ...secret } = sentSecret(result);
    assert.deepEqual(secret, { name: 'bootstrap-token-abcdef', type: 'bootstrap.kubernetes.io/token' });
    const { expiration = '', ...rest } = data;
    assert.deepEqual(rest, {
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-signing': 'true',
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
      description: 'why',
    });
    const lasts = Date.parse(expiration) - Date.now();
    assert.ok(lasts > 86_000_000 && lasts <= 86_400_000, expiration);
  });

  it('creates one without end, for one use, with groups of choice', async () => {
    const signing = await run('token create --ttl=0 --usages=signing', { [CREATE]: {} });
    const { 'token-id': id, 'token-secret': secret, ...data } = sentSecret(signing).data;
    assert.equal(signing.stdout, `${id}.${secret}\n`);
    assert.deepEqual(data, { 'usage-bootstrap-signing': 'true' });
    const grouped = await run('token create --groups=system:bootstrappers:a,system:bootstrappers:b', {
      [CREATE]: {},
    });
    assert.equal(
      sentSecret(grouped).data['auth-extra-groups'],
      'system:bootstrappers:a,system:bootstrappers:b',
    );
  });

  it('says what to do when the id is taken', async () => {
    const { stderr } = await run('token create abcdef.0123456789abcdef', {
      [CREATE]: { status: 409, json: { kind: 'Status', reason: 'AlreadyExists', code: 409 } },
    });
    assert.equal(
      stderr,
      'error: a token with id "abcdef" already exists\norchctl token delete abcdef takes it away.\n',
    );
  });

  it('lists those that there are', async () => {
    const secret = (id: string, data: Record<string, string>): object => ({
      metadata: { name: `bootstrap-token-${id}` },
      data: Object.fromEntries(
        Object.entries({ 'token-id': id, 'token-secret': '0123456789abcdef', ...data }).map(([key, text]) => [
          key,
          encoded(text),
        ]),
      ),
    });
    const later = new Date(Date.now() + 10 * 86_400_000 + 3_600_000).toISOString();
    const items = [
      secret('abcdef', { 'usage-bootstrap-signing': 'true', description: 'a\u001bb' }),
      secret('fedcba', {
        expiration: later,
        'usage-bootstrap-authentication': 'true',
        'auth-extra-groups': 'system:bootstrappers:a',
      }),
      { ...secret('zzzzzz', {}), metadata: { name: 'other' } },
    ];
    const { stdout } = await run('token list', {
      [`${SECRETS}?fieldSelector=type=bootstrap.kubernetes.io/token&limit=500`]: {
        kind: 'SecretList',
        apiVersion: 'v1',
        metadata: {},
        items,
      },
    });
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split(/ {3,}/)),
      [
        ['TOKEN', 'TTL', 'EXPIRES', 'USAGES', 'DESCRIPTION', 'EXTRA GROUPS'],
        ['abcdef.0123456789abcdef', '<forever>', '<never>', 'signing', 'a^[b', '<none>'],
        [
          'fedcba.0123456789abcdef',
          '10d',
          `${later.slice(0, 19)}Z`,
          'authentication',
          '<none>',
          'system:bootstrappers:a',
        ],
      ],
    );
  });

  it('deletes by id and by token, and goes on after one that is not there', async () => {
    const { stdout, stderr, code } = await run('token delete aaaaaa abcdef.0123456789abcdef', {
      [`DELETE ${SECRETS}/bootstrap-token-abcdef`]: {},
    });
    assert.equal(stdout, 'bootstrap token "abcdef" deleted\n');
    assert.match(stderr, /^error: failed to delete bootstrap token "aaaaaa": Error from server \(NotFound\)/);
    assert.equal(code, 1);
  });

  const refused: readonly [string, RegExp][] = [
    ['create nonsense-secret', /^error: the bootstrap token is not of the form/],
    ['create a b', /at most one TOKEN/],
    ['create --ttl=-1s', /--ttl must be greater than or equal to 0/],
    ['create --usages=both', /invalid usage "both"/],
    ['create --groups=admins', /invalid group "admins"/],
    ['create --usages=signing --groups=system:bootstrappers:a', /groups need the usage authentication/],
    ['delete', /missing argument/],
    ['delete aaaaaa nonsense', /not of the form/],
    ['generate x', /no arguments are expected/],
  ];
  for (const [line, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { stdout, stderr, code, requests } = await run(`token ${line}`);
      assert.match(stderr, message);
      assert.ok(!stderr.includes('nonsense'), 'what may be a secret is not repeated');
      assert.deepEqual([stdout, code], ['', 1]);
      assert.ok(requests.every(({ method }) => method === 'GET'));
    });
  }
});
