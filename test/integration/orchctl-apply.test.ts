import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OBTAIN_TIMEOUT_MS, startEtcd } from '../support/etcd.ts';
import { runOrchctl, type OrchctlOptions, type OrchctlResult } from '../support/orchctl.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

interface Backend {
  readonly name: string;
  readonly start: () => Promise<{ server: ServerProcess; stop(): Promise<unknown> }>;
}

const BACKENDS: readonly Backend[] = [
  {
    name: 'the embedded store',
    start: async () => {
      const server = await startProcess();
      return { server, stop: () => server.stop() };
    },
  },
  {
    name: 'etcd',
    start: async () => {
      const etcd = await startEtcd();
      const args = ['--naming=kubernetes', `--etcd-servers=${etcd.endpoint}`];
      const server = await startProcess({ args });
      return { server, stop: () => server.stop().finally(() => etcd.stop()) };
    },
  },
];

const configMap = (name: string, data: string, namespace = 'default'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: ${data}\n`;

for (const { name, start } of BACKENDS) {
  /** The commands that write manifests, against a whole server. */
  describe(`orchctl on ${name}`, function () {
    this.timeout(60_000);
    let backend: Awaited<ReturnType<Backend['start']>>;
    let folder: string;

    before(async function () {
      this.timeout(OBTAIN_TIMEOUT_MS);
      folder = mkdtempSync(join(tmpdir(), 'orchctl-test-'));
      backend = await start();
    });
    after(async () => {
      rmSync(folder, { recursive: true });
      await backend.stop();
    });

    const run = (line: string, input = '', options: OrchctlOptions = {}): Promise<OrchctlResult> =>
      runOrchctl(backend.server.kubeconfig, line.split(' '), { input, cwd: folder, ...options });
    const ok = async (line: string, input?: string, options?: OrchctlOptions): Promise<string> => {
      const { code, stdout, stderr } = await run(line, input, options);
      assert.equal(code, 0, `orchctl ${line}: ${stderr}`);
      return stdout;
    };
    const fails = async (line: string, input?: string, options?: OrchctlOptions): Promise<string> => {
      const { code, stderr } = await run(line, input, options);
      assert.equal(code, 1, `orchctl ${line}: ${stderr}`);
      return stderr;
    };
    const field = (what: string, path: string): Promise<string> => ok(`get ${what} -o jsonpath={${path}}`);

    it('applies what others need first, and tells of all in the order of the manifests', async () => {
      const manifests = `${configMap('a', '{x: "1"}', 'shop')}---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n`;
      assert.equal(
        await ok('apply -f -', manifests),
        'configmap/a serverside-applied\nnamespace/shop serverside-applied\n',
      );
      assert.equal(await ok('apply -f - -o name', manifests), 'configmap/a\nnamespace/shop\n');
      const list = JSON.parse(await ok('apply -f - -o json', manifests)) as { kind: string; items: object[] };
      assert.deepEqual([list.kind, list.items.length], ['List', 2]);
    });

    it('tells of mistakes with their lines, and applies the rest', async () => {
      const broken = `${configMap('good', '{}')}---
apiVersion: v1
kind: ConfigMap
metadata: {name: bad}
data:
  fine: a
  not fine: b
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: w}
spec:
  replicas: many
---
kind: ConfigMap
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
`;
      writeFileSync(join(folder, 'broken.yaml'), broken);
      const { code, stdout, stderr } = await run('apply -f broken.yaml');
      assert.equal(code, 1);
      assert.equal(stdout, 'configmap/good serverside-applied\n');
      assert.match(stderr, /data\[not fine\]: .*\(broken\.yaml, line 11\)$/m);
      assert.match(stderr, /\(document 3, line 13\): .* \.spec\.replicas: .*\(line 17\)$/m);
      assert.match(stderr, /^broken\.yaml: document 4, line 19: apiVersion: is not set$/m);
      assert.match(stderr, /no matches for kind "Widget" in version "example\.com\/v1"/);
    });

    it('explains conflicts, and forces them', async () => {
      await ok('apply -f -', configMap('c', '{x: "1"}'));
      await ok('apply -f - --field-manager=other --force-conflicts', configMap('c', '{x: "2"}'));
      const refused = await fails('apply -f -', configMap('c', '{x: "1"}'));
      assert.match(refused, /Apply failed with 1 conflict: conflict with "other"/);
      assert.match(refused, /\.data\.x: "other" applied it, last 20.* ago\)/);
      assert.match(refused, /--force-conflicts/);
      await ok('apply -f - --force-conflicts', configMap('c', '{x: "1"}'));
      assert.match(await ok('who-owns cm/c .data.x'), /\.data\.x +orchctl +Apply +20/);
      assert.match(await fails('who-owns cm/c .data.z'), /nobody owns \.data\.z of configmap\/c/);
    });

    it('does nothing in dry runs', async () => {
      assert.equal(
        await ok('apply -f - --dry-run=server', configMap('dry', '{}')),
        'configmap/dry serverside-applied (server dry run)\n',
      );
      assert.equal(
        await ok('create -f - --dry-run=client', configMap('dry', '{}')),
        'configmap/dry created (dry run)\n',
      );
      assert.match(await fails('get cm dry'), /NotFound/);
    });

    it('keeps to the namespace that was given', async () => {
      const refused = await fails('apply -n other -f -', configMap('a', '{}', 'shop'));
      assert.match(
        refused,
        /the namespace from the provided object "shop" does not match the namespace "other"/,
      );
    });

    it('deletes what a set has no more, and nothing else', async () => {
      const set = 'apply -n default --prune --applyset=mine -f -';
      await ok('apply -f -', configMap('bystander', '{}'));
      await ok(set, `${configMap('one', '{}')}---\n${configMap('two', '{}')}`);
      const prefix = (await field('secret mine', '.metadata.labels')).includes('kubernetes.io')
        ? 'kubernetes'
        : 'orch';
      assert.match(
        await ok('get cm one -o yaml'),
        new RegExp(`applyset\\.${prefix}\\.io/part-of: applyset-.*-v1`),
      );
      assert.equal(
        await ok(`${set} --dry-run=server`, configMap('one', '{}')),
        'configmap/one serverside-applied (server dry run)\nconfigmap/two pruned (server dry run)\n',
      );
      assert.equal(
        await ok(set, configMap('one', '{}')),
        'configmap/one serverside-applied\nconfigmap/two pruned\n',
      );
      assert.match(await fails('get cm two'), /NotFound/);
      await ok('get cm bystander one');
      assert.match(
        await fails('apply -n default --prune -f -', configMap('one', '{}')),
        /--prune needs --applyset/,
      );
      await ok(set, configMap('one', '{}'));
      // Nothing is deleted where something could not be applied.
      await fails(set, `${configMap('three', '{}')}---\nkind: ConfigMap\n`);
      await ok('get cm one');
    });

    it('shows what apply would change, and only that', async () => {
      await ok('apply -f -', configMap('d', '{x: "1"}'));
      assert.equal(await ok('diff -f -', configMap('d', '{x: "1"}')), '');
      const changed = await run('diff -f -', configMap('d', '{x: "2"}'));
      assert.equal(changed.code, 1);
      assert.match(changed.stdout, /^-\s+x: "1"\n\+\s+x: "2"$/m);
      const added = await run('diff -f -', configMap('added', '{x: "2"}'), {
        env: { KUBECTL_EXTERNAL_DIFF: 'diff -q -N' },
      });
      assert.match(added.stdout, /^Files .* differ$/m);
      assert.equal((await run('diff --nonsense')).code, 2);
      const failed = await run('diff -f missing.yaml');
      assert.deepEqual([failed.code, failed.stderr], [2, 'error: the path "missing.yaml" does not exist\n']);
    });

    it('shows of secrets only that they change', async () => {
      const secret = (a: string): string =>
        `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: ${a}, b: same}\n`;
      await ok('apply -f -', secret('hidden1'));
      const { code, stdout } = await run('diff -f -', secret('hidden2'));
      assert.equal(code, 1);
      assert.match(stdout, /-\s+a: '\*\*\* \(before\)'\n\+\s+a: '\*\*\* \(after\)'/);
      assert.doesNotMatch(stdout, /aGlkZGVu|hidden/);
    });

    it('creates and replaces whole objects, and again by force', async () => {
      assert.equal(await ok('create -f -', configMap('r', '{x: "1", z: "1"}')), 'configmap/r created\n');
      assert.match(
        await fails('create -f -', configMap('r', '{}')),
        /AlreadyExists.*error when creating "STDIN"/,
      );
      const uid = await field('cm r', '.metadata.uid');
      assert.equal(await ok('replace -f -', configMap('r', '{x: "2"}')), 'configmap/r replaced\n');
      assert.equal(await field('cm r', '.data'), '{"x":"2"}');
      const stale = configMap('r', '{}').replace('{name: r,', '{name: r, resourceVersion: "1",');
      assert.match(await fails('replace -f -', stale), /Conflict/);
      assert.match(await fails('replace -f -', configMap('nowhere', '{}')), /NotFound/);
      await ok('replace --force -f -', configMap('r', '{z: "1"}'));
      assert.notEqual(await field('cm r', '.metadata.uid'), uid);
    });

    it('stores what an editor changes, and only that', async () => {
      await ok('apply -f -', configMap('e', '{x: "1", z: "1"}'));
      const editor = (script: string): OrchctlOptions => ({ env: { KUBE_EDITOR: `sed -i ${script}` } });
      assert.equal(await ok('edit cm e', '', editor('s/x:.*/x:\\ changed/')), 'configmap/e edited\n');
      assert.equal(await field('cm e', '.data.x'), 'changed');
      assert.match(await ok('who-owns cm/e .data.x'), /orchctl-edit +Update/);
      assert.match(await ok('who-owns cm/e .data.z'), /orchctl +Apply/);
      const nothing = await run('edit cm e', '', { env: { KUBE_EDITOR: 'true' } });
      assert.deepEqual([nothing.code, nothing.stderr], [0, 'Edit cancelled, no changes made.\n']);
      const renamed = await fails('edit cm e', '', editor('s/name:.e$/name:\\ f/'));
      assert.match(renamed, /A copy of your changes has been stored to ".*edit\.yaml"/);
      const broken = await run('edit cm e', '', { env: { KUBE_EDITOR: '/does/not/exist' } });
      assert.match(broken.stderr, /unable to launch the editor "\/does\/not\/exist"/);
    });

    it('opens the editor again with what the server refuses', async () => {
      await ok('apply -f -', configMap('p', '{right: "1"}'));
      // The first time the script breaks a key, the second time it reads why, and mends it.
      const script = `#!/bin/sh
if grep -q 'was not valid' "$1"; then sed -i 's/not right/mended/' "$1"; else sed -i 's/right/not right/' "$1"; fi
`;
      writeFileSync(join(folder, 'editor.sh'), script, { mode: 0o700 });
      const env = { KUBE_EDITOR: join(folder, 'editor.sh') };
      const { code, stdout, stderr } = await run('edit cm p', '', { env });
      assert.deepEqual([code, stdout], [0, 'configmap/p edited\n']);
      assert.equal(stderr, 'error: configmaps "p" is invalid\n');
      assert.equal(await field('cm p', '.data'), '{"mended":"1"}');
    });

    it('shows what an object was like, and writes it back', async () => {
      await ok('apply -f -', configMap('h', '{x: "1"}'));
      const first = await field('cm h', '.metadata.resourceVersion');
      await ok('apply -f -', configMap('h', '{x: "2", z: "1"}'));
      const history = await ok('history cm/h');
      assert.match(
        history,
        /^revision \d+ .* by orchctl \(Apply\)\n {2}~ \.data\.x: "1" -> "2"\n {2}\+ \.data\.z: "1"$/m,
      );
      assert.match(
        history,
        new RegExp(`^revision ${first} .*\n {2}created\nrevision ${first} is the first\\.$`, 'm'),
      );
      assert.match(await ok(`history cm/h --at ${first}`), /x: "1"/);
      assert.match(await ok('history cm/h --diff'), /^-\s+x: "1"\n\+\s+x: "2"\n\+\s+z: "1"$/m);
      assert.equal(await ok('undo cm/h'), `configmap/h as at revision ${first} again\n`);
      assert.equal(await field('cm h', '.data'), '{"x":"1"}');
      assert.match(await ok(`undo cm/h --to ${first}`), new RegExp(`is as it was at revision ${first}`));
      assert.match(await fails('undo cm/h --to x'), /a revision is a number above 0/);
    });

    it('brings back what was deleted', async () => {
      await ok('apply -f -', configMap('gone', '{x: "1"}'));
      const revision = await field('cm gone', '.metadata.resourceVersion');
      await ok('apply --prune --applyset=temporary -n default -f -', configMap('gone', '{x: "1"}'));
      await ok('apply --prune --applyset=temporary -n default -f -', configMap('other', '{}'));
      assert.match(await fails('history cm/gone'), /undo --to REVISION brings it back/);
      await ok(`undo cm/gone --to ${revision}`);
      assert.equal(await field('cm gone', '.data.x'), '1');
    });

    it('builds and applies kustomizations', async () => {
      writeFileSync(
        join(folder, 'kustomization.yaml'),
        'namePrefix: k-\nconfigMapGenerator: [{name: made, literals: [a=b]}]\n',
      );
      assert.match(await ok('apply -k .'), /^configmap\/k-made-[a-z0-9]{10} serverside-applied\n$/);
    });

    it('reads folders, and what is in them where asked', async () => {
      writeFileSync(
        join(folder, 'many.json'),
        JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'many' } }),
      );
      assert.match((await run('apply -f .')).stdout, /configmap\/many serverside-applied/);
    });
  });
}
