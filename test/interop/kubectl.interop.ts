import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { MANIFESTS } from './manifests.ts';
import { findPeer, run, type Outcome } from './peers.ts';

/** An unmodified kubectl 1.32 against a server with `--naming=kubernetes`. */
describe('kubectl 1.32', function () {
  this.timeout(120_000);
  const program = findPeer('kubectl');
  let server: ServerProcess;

  before(async () => {
    server = await startProcess({ args: ['--naming=kubernetes'] });
  });
  after(() => server.stop());

  const kubectl = (args: string, input?: string): Outcome =>
    run(program, ['--kubeconfig', server.kubeconfig, ...args.split(' ')], input, { HOME: server.directory });
  const ok = (args: string, input?: string): string => {
    const outcome = kubectl(args, input);
    assert.equal(outcome.status, 0, `kubectl ${args}: ${outcome.stderr}`);
    return outcome.stdout;
  };

  it('tells versions, resources and API versions', () => {
    assert.match(ok('version'), /Server Version: v1\.32\./);
    assert.match(ok('api-versions'), /^apps\/v1$/m);
    const resources = ok('api-resources');
    for (const { kind } of MANIFESTS) assert.match(resources, new RegExp(`\\b${kind}\\b`));
  });

  it('explains fields from the published schema', () => {
    assert.match(ok('explain deployment.spec.template.spec.containers'), /FIELD: containers <\[\]Container>/);
  });

  for (const { kind, resource, namespaced, yaml } of MANIFESTS) {
    const where = namespaced ? ' -n default' : '';
    it(`creates, shows, edits and deletes ${kind}`, () => {
      assert.match(ok(`create -f -${where}`, yaml), /created/);
      assert.match(ok(`get ${resource} it${where}`), /^NAME\s[^]*^it\s/m);
      assert.match(ok(`get ${resource} it -o wide${where}`), /^it\s/m);
      assert.match(ok(`get ${resource} it -o yaml${where}`), new RegExp(`kind: ${kind}`));
      assert.match(ok(`describe ${resource} it${where}`), /Name:\s+it/);
      assert.match(ok(`label ${resource} it team=blue${where}`), /labeled/);
      assert.match(ok(`get ${resource} -l team=blue -o name${where}`), /\/it$/m);
      assert.match(ok(`annotate ${resource} it note=yes${where}`), /annotated/);
      assert.match(ok(`patch ${resource} it -p {"metadata":{"labels":{"more":"1"}}}${where}`), /patched/);
      // Client-side apply warns that the annotation is missing, adds it, and patches.
      assert.match(ok(`apply -f -${where}`, `${yaml}\n`), /configured|unchanged/);
      const edit = run(
        program,
        [
          '--kubeconfig',
          server.kubeconfig,
          'edit',
          resource,
          'it',
          ...where.trim().split(' ').filter(Boolean),
        ],
        '',
        { HOME: server.directory, KUBE_EDITOR: 'sed -i s/team:.blue/team:\\ green/' },
      );
      assert.match(edit.stdout, /edited/, edit.stderr);
      assert.match(ok(`get ${resource} it -o jsonpath={.metadata.labels.team}${where}`), /^green$/);
    });
  }

  it('scales a deployment and shows who watches', async () => {
    assert.match(ok('scale deployment it --replicas=3 -n default'), /scaled/);
    assert.equal(ok('get deployment it -n default -o jsonpath={.spec.replicas}'), '3');
    const watch = spawn(
      program,
      [
        ...['--kubeconfig', server.kubeconfig, 'get', 'configmaps', '-n', 'default'],
        ...['--watch-only', '--output-watch-events', '--no-headers', '--request-timeout=30s'],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOME: server.directory } },
    );
    const exited = once(watch, 'exit');
    // The watch has begun at some time: objects come and go until it shows one.
    const seen = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: seen}`;
    const poke = setInterval(() => {
      kubectl('create -f - -n default', seen);
      kubectl('delete configmap seen -n default --wait=false');
    }, 500);
    try {
      const comeAndGone = /^ADDED\s+seen\s[^]*^DELETED\s+seen\s/m;
      let text = '';
      for await (const chunk of watch.stdout) {
        text += String(chunk);
        if (comeAndGone.test(text)) break;
      }
      assert.match(text, comeAndGone);
    } finally {
      clearInterval(poke);
      watch.kill();
      await exited;
    }
  });

  it('waits for a condition and for a deletion', () => {
    const status = '{"status":{"conditions":[{"type":"Available","status":"True"}]}}';
    ok(`patch deployment it -n default --subresource=status --type=merge -p ${status}`);
    assert.match(
      ok('wait --for=condition=Available deployment/it -n default --timeout=10s'),
      /condition met/,
    );
    assert.match(ok('delete configmap it -n default --wait=true'), /deleted/);
    assert.match(ok('wait --for=delete configmap/it -n default --timeout=10s'), /^$/);
  });

  it('deletes everything it made', () => {
    for (const { kind, resource, namespaced } of MANIFESTS) {
      if (kind === 'ConfigMap') continue;
      const where = namespaced ? ' -n default' : '';
      assert.match(ok(`delete ${resource} it${where} --wait=false --grace-period=0 --force`), /deleted/);
    }
  });
});
