import assert from 'node:assert/strict';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { MANIFESTS } from './manifests.ts';
import { findPeer, run, type Outcome } from './peers.ts';

const deployment = (image: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  ${more}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "${image}"}]}
`;
const configMap = (name: string, data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\ndata: ${data}\n`;

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
}

/** `kubectl apply --server-side`, `diff` and `edit` of an unmodified kubectl 1.32. */
describe('kubectl 1.32, applying on the server', function () {
  this.timeout(120_000);
  const program = findPeer('kubectl');
  let server: ServerProcess;

  before(async () => {
    server = await startProcess({
      args: ['--naming=kubernetes', '--disable-admission-plugins=ServiceAccount'],
    });
  });
  after(() => server.stop());

  const kubectl = (args: string, input = '', env: NodeJS.ProcessEnv = {}): Outcome =>
    run(program, ['--kubeconfig', server.kubeconfig, ...args.split(' ')], input, {
      HOME: server.directory,
      ...env,
    });
  const ok = (args: string, input?: string, env?: NodeJS.ProcessEnv): string => {
    const outcome = kubectl(args, input, env);
    assert.equal(outcome.status, 0, `kubectl ${args}: ${outcome.stderr}`);
    return outcome.stdout;
  };
  const managers = (what: string): string[] => {
    const text = ok(`get ${what} -n default --show-managed-fields -o jsonpath={.metadata.managedFields}`);
    return (JSON.parse(text || '[]') as Entry[])
      .map(({ manager, operation, subresource }) =>
        [manager, operation, subresource].filter(Boolean).join(' '),
      )
      .sort();
  };

  for (const { kind, resource, namespaced, yaml } of MANIFESTS) {
    const where = namespaced ? ' -n default' : '';
    it(`applies ${kind}, twice, and takes it over from another manager`, () => {
      const apply = `apply --server-side -f -${where}`;
      assert.match(ok(apply, yaml), /serverside-applied/);
      const version = ok(`get ${resource} it -o jsonpath={.metadata.resourceVersion}${where}`);
      assert.match(ok(apply, yaml), /serverside-applied/);
      assert.equal(ok(`get ${resource} it -o jsonpath={.metadata.resourceVersion}${where}`), version);
      // What the server has written otherwise than it was applied is in conflict, even if it means the same.
      assert.match(ok(`${apply} --field-manager=other --force-conflicts`, yaml), /serverside-applied/);
      ok(`delete ${resource} it --wait=false${where}`);
    });
  }

  it('says what is in conflict, and forces it', () => {
    ok('apply --server-side -f -', deployment('i:1', 'replicas: 1'));
    ok('scale deployment web --replicas=3 -n default');
    const refused = kubectl('apply --server-side -f -', deployment('i:1', 'replicas: 1'));
    assert.equal(refused.status, 1);
    assert.match(
      refused.stderr,
      /conflict with "kubectl" with subresource "scale" using apps\/v1: \.spec\.replicas/,
    );
    ok('apply --server-side --force-conflicts -f -', deployment('i:1', 'replicas: 1'));
    assert.deepEqual(managers('deployment web'), ['kubectl Apply']);
    ok('apply --server-side -f -', deployment('i:1'));
    assert.equal(ok('get deployment web -n default -o jsonpath={.spec.replicas}'), '1');
    ok('delete deployment web -n default --wait=false');
  });

  it('goes over from applying on the client, and takes away what is not applied any more', () => {
    ok('apply -f -', configMap('old', '{a: "1", b: "1"}'));
    assert.deepEqual(managers('configmap old'), ['kubectl-client-side-apply Update']);
    ok('apply --server-side -f -', configMap('old', '{a: "2"}'));
    // The annotation has a manager of its own.
    assert.deepEqual(managers('configmap old'), ['kubectl Apply', 'kubectl-last-applied Apply']);
    assert.equal(ok('get configmap old -n default -o jsonpath={.data}'), '{"a":"2"}');
    // And back: the annotation tells what was applied last.
    ok('apply -f -', configMap('old', '{c: "3"}'));
    assert.equal(ok('get configmap old -n default -o jsonpath={.data}'), '{"c":"3"}');
  });

  it('shows differences on either side', () => {
    const file = configMap('different', '{a: "1"}');
    ok('apply --server-side -f -', file);
    assert.equal(kubectl('diff --server-side -f -', file).status, 0);
    assert.equal(kubectl('diff -f -', file).status, 0);
    const changed = kubectl('diff --server-side -f -', configMap('different', '{a: "2"}'));
    assert.equal(changed.status, 1, changed.stderr);
    assert.match(changed.stdout, /^-\s+a: "1"\n\+\s+a: "2"$/m);
    const taken = kubectl(
      'diff --server-side --field-manager=other -f -',
      configMap('different', '{a: "2"}'),
    );
    assert.match(taken.stderr, /conflict with "kubectl"/);
  });

  it('edits what was applied, which takes the fields over', () => {
    ok('apply --server-side -f -', configMap('edited', '{a: "1", b: "1"}'));
    const EDITOR = { KUBE_EDITOR: 'sed -i s/a:.\\"1\\"/a:\\ \\"2\\"/' };
    assert.match(ok('edit configmap edited -n default', '', EDITOR), /edited/);
    assert.deepEqual(managers('configmap edited'), ['kubectl Apply', 'kubectl-edit Update']);
    const refused = kubectl('apply --server-side -f -', configMap('edited', '{a: "1", b: "1"}'));
    assert.match(refused.stderr, /conflict with "kubectl-edit" using v1: \.data\.a/);
  });

  it('runs dry on the server', () => {
    assert.match(
      ok('apply --server-side --dry-run=server -f -', configMap('dry', '{a: "1"}')),
      /server dry run/,
    );
    assert.match(kubectl('get configmap dry -n default').stderr, /NotFound/);
  });

  it('refuses misspelled fields, and says which', () => {
    const refused = kubectl(
      'apply --server-side --validate=false -f -',
      `${configMap('wrong', '{a: "1"}')}dta: {}\n`,
    );
    assert.match(refused.stderr, /\.dta: field not declared in schema/);
  });
});
