import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compareFlags, type FactFlags, type FlagSource } from '../../../../hack/import/flags.ts';
import { flagDocs } from '../../../../hack/build/flag-docs.ts';
import { readProfiles } from '../../../../hack/build/names.ts';
import { choosePlugins, PLUGIN_ORDER } from '../../../../src/admission/order.ts';
import { readCommandLine, type Request } from '../../../../src/app/options/command-line.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

const read = (argv: readonly string[], env: Record<string, string> = {}): Request =>
  readCommandLine({
    argv,
    env,
    machine: { workingDirectory: '/work', hostname: 'host-1', addresses: ['192.0.2.7'] },
    release: '1.32',
  });

function serve(...argv: string[]): Extract<Request, { kind: 'serve' }> {
  const request = read(argv);
  assert.ok(request.kind === 'serve', JSON.stringify(request));
  return request;
}

describe('the flag table', () => {
  const facts = JSON.parse(
    readFileSync(join(root, 'test', 'fixtures', 'facts', 'flags.json'), 'utf8'),
  ) as FactFlags;
  const source = parse(readFileSync(join(root, 'schemas', 'flags.yaml'), 'utf8')) as FlagSource;

  it('has every flag of the facts, with their types and defaults', () => {
    const translator = readProfiles(join(root, 'schemas', 'names')).get('kubernetes')?.translator;
    assert.deepEqual(
      compareFlags(facts, source, (text) => translator?.text(text) ?? text),
      [],
    );
  });

  it('is what docs/flags.md shows (hack/write-flag-docs.ts writes it)', () => {
    assert.equal(readFileSync(join(root, 'docs', 'flags.md'), 'utf8'), flagDocs(source));
  });

  it('refers to flags and parts that exist', () => {
    const rows = Object.values(source.sections).flatMap((section) => Object.entries(section));
    const names = new Set(rows.map(([name]) => name));
    for (const [name, row] of rows) {
      for (const other of [...(row.requires ?? []), ...(row.excludes ?? [])]) {
        assert.ok(other.endsWith('*') || names.has(other), `${name}: ${other}`);
      }
      for (const part of [row.later, ...Object.values(row.laterValues ?? {})]) {
        assert.ok(part === undefined || part in source.later, `${name}: ${part}`);
      }
    }
  });
});

describe('a command line', () => {
  it('without flags serves from the embedded store below the working directory', () => {
    const { config, warnings } = serve();
    assert.deepEqual(warnings, []);
    assert.equal(config.naming, 'orch');
    assert.equal(config.store, 'embedded');
    assert.equal(config.dataDirectory, '/work/.orch');
    assert.equal(config.certificateDirectory, '/work/.orch/pki');
    assert.equal(config.kubeconfigFile, '/work/.orch/orch.kubeconfig');
    assert.equal(config.storage.historyMs, 300_000);
    assert.deepEqual(config.clusterIpRanges, ['10.0.0.0/24']);
    assert.equal(config.advertiseAddress, '192.0.2.7');
  });

  it('names everything that a generated certificate is for', () => {
    const { config } = serve('--service-cluster-ip-range=10.96.0.0/16', '--external-hostname=api.example');
    assert.deepEqual(config.servingHosts, [
      ...['localhost', '127.0.0.1', '::1', 'host-1', 'api.example', '192.0.2.7', '10.96.0.1'],
      ...['orch', 'orch.default', 'orch.default.svc', 'orch.default.svc.cluster.local'],
    ]);
    const kubernetes = serve('--naming=kubernetes', '--bind-address=127.0.0.1').config;
    assert.ok(kubernetes.servingHosts.includes('kubernetes.default.svc'));
    assert.equal(kubernetes.advertiseAddress, '127.0.0.1');
  });

  it('with a certificate of its own writes a kubeconfig only where told', () => {
    const given = ['--tls-cert-file=a', '--tls-private-key-file=b'];
    assert.equal(serve(...given).config.kubeconfigFile, undefined);
    assert.equal(serve(...given, '--write-kubeconfig=k').config.kubeconfigFile, '/work/k');
  });

  it('is told which of the admission plugins that it names do not exist yet', () => {
    const { warnings } = serve(
      '--enable-admission-plugins=NodeRestriction,EventRateLimit,ResourceQuota,ValidatingAdmissionWebhook',
      '--disable-admission-plugins=Priority',
    );
    assert.deepEqual(warnings, [
      '--enable-admission-plugins=ValidatingAdmissionWebhook has no effect yet: it comes with webhooks and policies',
    ]);
  });

  it('runs exactly the admission plugins of the old flag', () => {
    const { admission } = serve('--admission-control=NamespaceLifecycle,AlwaysPullImages').config;
    assert.deepEqual(admission.enabled, ['NamespaceLifecycle', 'AlwaysPullImages']);
    const running = choosePlugins(
      PLUGIN_ORDER.map((name) => ({ name })),
      admission,
    );
    assert.deepEqual(
      running.map(({ name }) => name),
      ['NamespaceLifecycle', 'AlwaysPullImages'].sort(
        (a, b) => PLUGIN_ORDER.indexOf(a) - PLUGIN_ORDER.indexOf(b),
      ),
    );
  });

  it('that starts the Go API server is understood, with warnings for what comes later', () => {
    const { config, warnings } = serve(
      ...['--naming=kubernetes', '--bind-address=127.0.0.1', '--secure-port=0', '--data-dir=/tmp/d'],
      ...['--etcd-servers=http://127.0.0.1:2379,https://etcd-1:2379', '--etcd-compaction-interval=1m'],
      ...[
        '--tls-cert-file=s.crt',
        '--tls-private-key-file=s.key',
        '--token-auth-file=t',
        '--client-ca-file=ca',
      ],
      ...['--authorization-mode=Node,RBAC', '--disable-admission-plugins=', '--controllers=-*'],
      ...['--enable-bootstrap-token-auth', '--allow-privileged=true', '--service-account-key-file=sa.pub'],
      ...[
        '--service-account-signing-key-file=sa.key',
        '--service-account-issuer=https://kubernetes.default.svc',
      ],
      ...['--service-cluster-ip-range=10.0.0.0/16', '--requestheader-client-ca-file=f.crt'],
      ...[
        '--requestheader-allowed-names=front-proxy-client',
        '--requestheader-username-headers=X-Remote-User',
      ],
      ...[
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      ],
      ...[
        '--proxy-client-cert-file=p.crt',
        '--proxy-client-key-file=p.key',
        '--enable-aggregator-routing=true',
      ],
    );
    assert.equal(config.store, 'etcd');
    assert.equal(config.storage.compactionIntervalMs, 60_000);
    assert.ok(warnings.length > 0);
    assert.ok(warnings.every((warning) => warning.includes('has no effect yet: it comes with')));
  });

  it('that is wrong is told everything at once', () => {
    const request = read([
      ...['--etcd-server=x', 'foo', '--secure-port=99999', '--tls-cert-file=a', '--runtime-config=foo/v1'],
      ...['--feature-gates=Nope=true', '--storage-backend=etcd3', '--authorization-mode=RBAC,Foo'],
      ...['--authorization-config=f', '--service-cluster-ip-range=10.0.0.0/8,10.0.0.0/24', '--vmodule=a=1'],
      ...[
        '--logging-format=json',
        '--enable-admission-plugins=PodSecurity,X',
        '--etcd-prefix=x',
        '--etcd-cafile=c',
      ],
      ...[
        '--disable-admission-plugins=PodSecurity',
        '--advertise-address=0.0.0.0',
        '--authentication-config=a',
      ],
      ...[
        '--oidc-issuer-url=https://i',
        '--watch-cache-sizes=pods',
        '--strict-transport-security-directives=x',
      ],
    ]);
    assert.ok(request.kind === 'problems');
    for (const part of [
      'unknown flag: --etcd-server',
      'no arguments besides flags',
      '--secure-port must be at most 65535',
      '--tls-cert-file needs --tls-private-key-file',
      'there is no foo/v1',
      'unknown feature gate Nope',
      '--storage-backend=etcd3 needs --etcd-servers',
      '--authorization-mode can\'t be "Foo"',
      "--authorization-config can't be given with --authorization-mode",
      '10.0.0.0/8 is too large',
      'two ranges must be of different families',
      '--vmodule needs --logging-format=text',
      '--enable-admission-plugins can\'t be "X"',
      'PodSecurity is in --enable-admission-plugins and in --disable-admission-plugins',
      '--etcd-prefix must begin with a slash',
      '--etcd-cafile needs --etcd-servers',
      "--advertise-address can't be 0.0.0.0",
      "--authentication-config can't be given with --oidc-issuer-url",
      '--oidc-issuer-url needs --oidc-client-id',
      '--watch-cache-sizes can\'t be "pods"',
      '--strict-transport-security-directives can\'t be "x"',
    ]) {
      assert.ok(
        request.problems.some((problem) => problem.includes(part)),
        `${part} is not among\n${request.problems.join('\n')}`,
      );
    }
    assert.equal(request.problems.length, 21, request.problems.join('\n'));
  });

  for (const [server, fine] of [
    ['http://127.0.0.1:2379', true],
    ['https://[::1]:2379/', true],
    ['127.0.0.1:2379', false],
    ['http://', false],
    ['http://a/b', false],
  ] as const) {
    it(`takes ${server} for an etcd member: ${fine}`, () => {
      assert.equal(read([`--etcd-servers=${server}`]).kind, fine ? 'serve' : 'problems');
    });
  }

  it('asks for help in named sections, whatever else it says', () => {
    const request = read(['--help', '--nope']);
    assert.ok(request.kind === 'help');
    assert.match(request.text, /^Etcd flags:$/m);
    assert.match(
      request.text,
      /--secure-port int\n {8}Port to listen on; 0 for any free one. \(default 6443\)/,
    );
    assert.match(request.text, /WatchList=true\|false \(beta, default (true|false)\)/);
    assert.ok(request.text.split('\n').every((line) => line.length <= 130));
  });

  it('asks for the version', () => {
    assert.deepEqual(read(['--version']), { kind: 'version', detail: 'true' });
    assert.deepEqual(read(['--version=raw']), { kind: 'version', detail: 'raw' });
  });

  it('takes the naming profile from the environment too', () => {
    const request = read([], { ORCH_NAMING: 'kubernetes' });
    assert.ok(request.kind === 'serve');
    assert.equal(request.names.get('group.rbac'), 'rbac.authorization.k8s.io');
  });

  it('names a profile that there is', () => {
    const request = read(['--naming=other']);
    assert.ok(request.kind === 'problems');
    assert.deepEqual(request.problems, ['--naming can\'t be "other", but orch, kubernetes']);
  });
});
