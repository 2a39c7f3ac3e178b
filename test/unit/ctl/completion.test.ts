import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { runLine, type Answers } from '../../support/run-line.ts';

const pods = (names: readonly string[]): object => ({
  kind: 'PartialObjectMetadataList',
  apiVersion: 'meta.k8s.io/v1',
  items: names.map((name) => ({ metadata: { name } })),
});
const answers: Answers = {
  '/api/v1/namespaces/default/pods?limit=500': pods(['web-1', 'web-2', 'db']),
  '/api/v1/namespaces/shop/pods?limit=500': pods(['cart']),
  '/api/v1/namespaces?limit=500': pods(['default', 'shop']),
};

async function complete(...words: string[]): Promise<string[]> {
  const { stdout, stderr, code } = await runLine(['__complete', '--', ...words], { answers });
  assert.deepEqual([stderr, code], ['', 0]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
}

describe('completion', () => {
  const cases: readonly [string, readonly string[]][] = [
    ['ge|', ['get']],
    ['config use|', ['use-context']],
    ['get po|', ['pods']],
    ['get pods,ser|', ['pods,services']],
    ['get pods web|', ['web-1', 'web-2']],
    ['get pods web-1 web|', ['web-2']],
    ['get pod/d|', ['pod/db']],
    ['get -n shop pods |', ['cart']],
    ['get pods --namespace=s|', ['--namespace=shop']],
    ['get pods -n s|', ['shop']],
    ['get pods -ns|', ['-nshop']],
    ['get pods --show-l|', ['--show-labels']],
    ['get pods --naming |', ['orch', 'kubernetes']],
    ['get pods --kubeconfig |', [':files']],
    ['explain dep|', ['deployments']],
    ['completion |', ['bash', 'zsh', 'fish']],
    ['nonsense |', []],
    ['get nonsense |', []],
  ];
  for (const [line, expected] of cases) {
    it(`offers what may come at ${line}`, async () => {
      assert.deepEqual(await complete(...line.replace('|', '').split(' ')), expected);
    });
  }

  it('offers all commands with what they do', async () => {
    const { stdout } = await runLine(['__complete', '--', '']);
    assert.match(stdout, /^get\tShow objects/m);
    assert.doesNotMatch(stdout, /__complete/);
  });

  it('says nothing when the server is away', async () => {
    const { stdout, stderr, code } = await runLine(['__complete', '--', 'get', 'pods', '-n', ''], {
      answers: {},
    });
    assert.deepEqual([stdout, stderr, code], ['', '', 0]);
  });

  it('has a script for bash that bash runs', async () => {
    const { stdout: script } = await runLine(['completion', 'bash']);
    const line = 'orchctl get pods --namespace=s';
    const test = `
      orchctl() { printf '%s\\n' "$*" >&2; printf -- '--namespace=shop\\n'; }
      ${script}
      COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(orchctl get pods --namespace = s)
      _orchctl 2>/dev/null
      echo "\${COMPREPLY[@]}"`;
    const { stdout, status } = spawnSync('bash', ['-c', test], { encoding: 'utf8' });
    assert.deepEqual([stdout, status], ['shop\n', 0]);
  });

  const refused: readonly [string, RegExp][] = [
    ['completion', /Shell not specified/],
    ['completion tcsh', /Unsupported shell type "tcsh"/],
    ['completion bash zsh', /Too many arguments/],
  ];
  for (const [line, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { code, stderr } = await runLine(line.split(' '));
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});
