import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLine, type LineResult } from '../../support/run-line.ts';

const BASE = `# mine
apiVersion: v1
kind: Config
current-context: a
clusters:
- name: a
  cluster: {server: "https://a:1", certificate-authority-data: YWJj}
contexts:
- name: a   # the first
  context: {cluster: a, user: u, namespace: ns}
- name: z.y
  context: {cluster: b, user: u}
users:
- name: u
  user: {token: secret}
`;

describe('orchctl config', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'orch-config-'));
    writeFileSync(join(directory, 'first'), BASE);
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const run = (line: string, KUBECONFIG = 'first'): Promise<LineResult> =>
    runLine(['config', ...line.split(' ')], { cwd: directory, env: { KUBECONFIG } });
  const file = (name = 'first'): string => readFileSync(join(directory, name), 'utf8');

  it('shows everything but secrets', async () => {
    const { stdout } = await run('view');
    assert.match(
      stdout,
      /^apiVersion: v1\nclusters:\n- cluster:\n {4}certificate-authority-data: DATA\+OMITTED\n/,
    );
    assert.match(stdout, /token: REDACTED\n$/);
    assert.match((await run('view --raw')).stdout, /token: secret\n$/);
  });

  it('shows what one context needs, with what files hold', async () => {
    writeFileSync(join(directory, 'ca.pem'), 'PEM');
    await run('set-cluster b --server=https://b:2 --certificate-authority=ca.pem');
    const { stdout } = await run('view --minify --flatten --context=z.y -o json');
    const { clusters, contexts, users } = JSON.parse(stdout) as Record<
      string,
      { name: string; cluster?: object }[]
    >;
    assert.deepEqual(clusters?.[0]?.cluster, {
      server: 'https://b:2',
      'certificate-authority-data': Buffer.from('PEM').toString('base64'),
    });
    assert.deepEqual(
      [contexts, users].map((list) => list?.map(({ name }) => name)),
      [['z.y'], ['u']],
    );
  });

  it('lists contexts and marks the current one', async () => {
    assert.equal(
      (await run('get-contexts')).stdout,
      'CURRENT   NAME   CLUSTER   AUTHINFO   NAMESPACE\n*         a      a         u          ns\n          z.y    b         u          \n',
    );
    assert.equal((await run('get-contexts -o name')).stdout, 'a\nz.y\n');
    const missing = await run('get-contexts nope');
    assert.deepEqual([missing.code, missing.stderr], [1, 'error: context nope not found\n']);
  });

  it('changes one thing and leaves the rest of the file, comments too', async () => {
    assert.equal((await run('set-context --current --namespace=other')).stdout, 'Context "a" modified.\n');
    assert.match(file(), /^# mine$/m);
    assert.match(file(), /- name: a # the first/);
    assert.match(file(), /namespace: other/);
    assert.equal(statSync(join(directory, 'first')).mode & 0o777, 0o600);
  });

  it('makes, renames and deletes contexts', async () => {
    assert.equal((await run('set-context new --cluster=a --user=u')).stdout, 'Context "new" created.\n');
    assert.equal((await run('use-context new')).stdout, 'Switched to context "new".\n');
    assert.equal((await run('rename-context new newer')).stdout, 'Context "new" renamed to "newer".\n');
    assert.equal((await run('current-context')).stdout, 'newer\n');
    const { stdout, stderr } = await run('delete-context newer');
    assert.equal(stdout, 'deleted context newer from first\n');
    assert.match(stderr, /^warning: this removed your active context/);
  });

  it('makes clusters and users', async () => {
    await run('set-cluster c --server=https://c:3 --insecure-skip-tls-verify');
    await run('set-credentials w --token=t');
    await run('set-credentials w --exec-command=prog --exec-arg=a,b --exec-env=K=V');
    await run('set-credentials w --exec-env=K- --exec-env=L=W');
    const { stdout } = await run('view --raw -o json');
    const { clusters, users } = JSON.parse(stdout) as Record<string, { name: string }[]>;
    assert.deepEqual(clusters?.at(-1), {
      name: 'c',
      cluster: { server: 'https://c:3', 'insecure-skip-tls-verify': true },
    });
    assert.deepEqual(users?.at(-1), {
      name: 'w',
      user: {
        token: 't',
        exec: {
          provideClusterInfo: false,
          command: 'prog',
          args: ['a', 'b'],
          env: [{ name: 'L', value: 'W' }],
        },
      },
    });
  });

  it('sets and unsets properties, of entries with dots in their names too', async () => {
    await run('set contexts.z.y.namespace foo');
    assert.match((await run('get-contexts z.y')).stdout, /foo/);
    await run('unset contexts.z.y.namespace');
    assert.doesNotMatch((await run('get-contexts z.y')).stdout, /foo/);
    await run('unset current-context');
    assert.equal((await run('current-context')).code, 1);
  });

  it('reads several files as one and writes each entry where it stands', async () => {
    writeFileSync(
      join(directory, 'second'),
      'users: [{name: v, user: {token: x}}, {name: u, user: {token: other}}]\n',
    );
    const both = 'missing:first:second';
    assert.match((await run('view --raw', both)).stdout, /token: secret\n- name: v\n/);
    await run('set-credentials v --token=t2', both);
    assert.match(file('second'), /token: t2/);
    assert.match(file('second'), /token: other/);
  });

  it('makes the file where there is none', async () => {
    assert.equal((await run('set-cluster a --server=https://a', 'folder/none')).code, 0);
    assert.match(file('folder/none'), /server: https:\/\/a/);
  });

  const refused: readonly [string, RegExp][] = [
    ['use-context nope', /^error: no context exists with the name: "nope"\n/],
    ['use-context', /^error: Unexpected args: \[\]\n/],
    ['set-context', /you must specify a non-empty context name or --current/],
    ['set-cluster c --certificate-authority=x --insecure-skip-tls-verify', /at the same time/],
    ['set-cluster c --certificate-authority=nope --embed-certs', /could not read .*nope/],
    ['set-credentials w --token=t --username=a', /more than one authentication method/],
    ['rename-context nope x', /it's not in first/],
    ['rename-context a z.y', /already exists in first/],
    ['delete-user nope', /cannot delete user nope, not in first/],
    ['set foo bar', /unable to parse path "foo"/],
    ['view --minify --context=nope', /cannot locate context nope/],
    ['nonsense', /unknown command "nonsense" for "orchctl config"/],
  ];
  for (const [line, message] of refused) {
    it(`refuses and leaves the file as it is: ${line}`, async () => {
      const { code, stderr } = await run(line);
      assert.match(stderr, message);
      assert.equal(code, 1);
      assert.equal(file(), BASE);
    });
  }

  it('says which file is half written', async () => {
    writeFileSync(join(directory, 'first'), 'clusters: [{name: a');
    const { code, stderr } = await run('view');
    assert.match(stderr, /^error: error loading config file "first": /);
    assert.equal(code, 1);
  });
});
