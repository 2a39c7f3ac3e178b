import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEtcd } from '../support/etcd.ts';
import { runOrchctl } from '../support/orchctl.ts';
import { startProcess } from '../support/server-process.ts';
import { MANIFESTS } from './manifests.ts';
import { findPeer, run } from './peers.ts';
import { startReference } from './reference.ts';

interface Target {
  readonly kubeconfig: string;
  readonly stop: () => Promise<unknown>;
}

const SERVERS: Readonly<Record<string, (folder: string) => Promise<Target>>> = {
  'our server': async () => {
    const server = await startProcess({
      args: ['--naming=kubernetes', '--disable-admission-plugins=ServiceAccount'],
    });
    return { kubeconfig: server.kubeconfig, stop: () => server.stop() };
  },
  'the Go API server': async (folder) => {
    const etcd = await startEtcd();
    const reference = await startReference(etcd.endpoint);
    const { url, token } = reference;
    const kubeconfig = join(folder, 'reference.kubeconfig');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFileSync(kubeconfig, JSON.stringify(config));
    return { kubeconfig, stop: () => reference.stop().finally(() => etcd.stop()) };
  },
};

const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n`;
const TWO = `${configMap('one', '{a: "1"}')}---\n${configMap('two', '{a: "1"}')}`;

const WIDGET = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 1}\n';
const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
`;

/** Command lines, one after the other on the same objects, and what they read. Both programs are to say the same. */
const LINES: readonly (readonly [line: string, input?: string])[] = [
  ['create -f -', TWO],
  ['create -f -', TWO],
  ['create -f - --dry-run=server -o name', configMap('three', '{}')],
  ['create -f - --dry-run=client', configMap('three', '{}')],
  ['create -f - --dry-run=client -o yaml', configMap('three', '{b: "1"}')],
  ['create -f - --dry-run=client -o json', configMap('three', '{b: "1"}')],
  ['create -f -', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Not_Valid}\n'],
  ['create -f -', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: strict}\nunknown: 1\n'],
  ['create -f - --validate=ignore', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lax}\nunknown: 1\n'],
  ['create -f -', 'apiVersion: example.com/v1\nkind: Nothing\nmetadata: {name: x}\n'],
  ['create -f missing.yaml'],
  ['create -f -', ''],
  [
    'create -n default -f -',
    configMap('named', '{}').replace('{name: named}', '{name: named, namespace: other}'),
  ],
  ['apply --server-side -f -', configMap('applied', '{a: "1", b: "1"}')],
  ['apply --server-side -f -', configMap('applied', '{a: "1", b: "1"}')],
  ['apply --server-side -f - -o name', configMap('applied', '{a: "2"}')],
  ['get configmap applied -o jsonpath={.data}'],
  ['apply --server-side -f - --dry-run=server', configMap('applied', '{a: "3"}')],
  ['apply --server-side -f - --dry-run=client', configMap('applied', '{a: "3"}')],
  ['apply --server-side --field-manager=other -f -', configMap('applied', '{a: "4"}')],
  ['apply --server-side --field-manager=other --force-conflicts -f -', configMap('applied', '{a: "4"}')],
  ['apply --server-side -f - -l x=y', configMap('unwanted', '{}')],
  ['diff --server-side --field-manager=other -f -', configMap('applied', '{a: "4"}')],
  ['diff --server-side --field-manager=other -f -', configMap('applied', '{a: "5"}')],
  ['diff --server-side -f missing.yaml'],
  ['diff --server-side --nonsense'],
  ['diff --server-side -f -', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Not_Valid}\n'],
  ['replace -f -', configMap('applied', '{c: "1"}')],
  ['replace -f - -o name', configMap('nowhere', '{}')],
  [
    'replace -f -',
    configMap('applied', '{}').replace('{name: applied}', '{name: applied, resourceVersion: "1"}'),
  ],
  ['replace --force -f -', configMap('applied', '{d: "1"}')],
  ['get configmap applied -o jsonpath={.data}'],
  ['apply --server-side -f'],
  ['apply --server-side'],
  ['apply --server-side --nonsense -f -', TWO],
  ['apply --server-side -f - more', TWO],
];

/** What differs from run to run. */
const masked = (text: string): string =>
  text
    .replaceAll(/\/tmp\/(LIVE|MERGED)-\w+/g, '/tmp/$1')
    .replaceAll(/^((?:---|\+\+\+) \S+).*$/gm, '$1')
    .replaceAll(/(resourceVersion|uid|creationTimestamp): .*$/gm, '$1: …')
    .replaceAll(/^@@.*@@$/gm, '@@');

for (const [name, start] of Object.entries(SERVERS)) {
  describe(`orchctl and kubectl 1.32, writing manifests on ${name}`, function () {
    this.timeout(120_000);
    const program = findPeer('kubectl');
    let folder: string;
    let server: Target;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'orchctl-interop-'));
      server = await start(folder);
    });
    after(async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    });

    const kubectl = (
      args: readonly string[],
      input = '',
    ): { code: number | null; stdout: string; stderr: string } => {
      const { status, ...texts } = run(program, ['--kubeconfig', server.kubeconfig, ...args], input, {
        HOME: folder,
      });
      return { code: status, ...texts };
    };
    const orchctl = (args: readonly string[], input = ''): ReturnType<typeof runOrchctl> =>
      runOrchctl(server.kubeconfig, args, { input, cwd: folder });

    it('say the same, with the same exit codes', async () => {
      const differences: unknown[] = [];
      const theirs = LINES.map(([line, input]) => kubectl(line.split(' '), input));
      kubectl(['delete', 'configmap', '--all', '--wait']);
      for (const [index, [line, input]] of LINES.entries()) {
        const { code, stdout, stderr } = await orchctl(line.split(' '), input);
        const other = theirs[index];
        if (code !== other?.code || masked(stdout) !== masked(other.stdout))
          differences.push({ line, orchctl: { code, stdout, stderr }, kubectl: other });
      }
      assert.deepEqual(differences, []);
    });

    if (name === 'the Go API server') {
      it('orchctl applies a definition before objects of its kind, wherever it stands', async () => {
        const { code, stdout, stderr } = await orchctl(['apply', '-f', '-'], `${WIDGET}---\n${DEFINITION}`);
        assert.deepEqual(
          { code, stdout, stderr },
          {
            code: 0,
            stdout:
              'widget.example.com/w serverside-applied\ncustomresourcedefinition.apiextensions.k8s.io/widgets.example.com serverside-applied\n',
            stderr: '',
          },
        );
        assert.match((await orchctl(['who-owns', 'widget/w'])).stdout, /\.spec\.size +orchctl +Apply/);
        const history = await orchctl(['history', 'widget/w']);
        assert.match(history.stderr, /doesn't tell what objects were like/);
      });
    }

    for (const { kind, resource, namespaced, yaml } of MANIFESTS) {
      const where = namespaced ? ['-n', 'default'] : [];
      it(`leave the same ${kind}`, async () => {
        const spec = (): unknown => {
          const { metadata, ...rest } = JSON.parse(
            kubectl(['get', resource, 'it', '-o', 'json', ...where]).stdout,
          ) as {
            metadata: { labels?: object; annotations?: object };
            status?: object;
          };
          return { ...rest, status: undefined, labels: metadata.labels, annotations: metadata.annotations };
        };
        const remove = (): void => {
          // Nobody is there to take finalizers away.
          kubectl([
            'patch',
            resource,
            'it',
            '--type=merge',
            '-p',
            '{"metadata":{"finalizers":null}}',
            ...where,
          ]);
          assert.equal(kubectl(['delete', resource, 'it', ...where]).code, 0);
        };
        const apply = ['apply', '--server-side', '-f', '-', ...where];
        assert.equal(kubectl(apply, yaml).code, 0);
        const theirs = spec();
        remove();
        const named = kubectl(['create', '-f', '-', '--dry-run=client', '-o', 'name'], yaml);
        assert.deepEqual(await orchctl(['create', '-f', '-', '-o', 'name', ...where], yaml), named);
        remove();
        assert.equal((await orchctl(apply, yaml)).code, 0);
        assert.deepEqual(withoutAddresses(spec()), withoutAddresses(theirs));
        assert.equal((await orchctl(['diff', '-f', '-', ...where], yaml)).code, 0);
        remove();
      });
    }
  });
}

/** What a server chooses for every object anew. */
function withoutAddresses(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      /^clusterIPs?$|nodePort$|controller-uid$/i.test(key) ? undefined : inner,
    ),
  );
}
