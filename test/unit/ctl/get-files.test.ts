import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLine, type LineResult } from '../../support/run-line.ts';

describe('orchctl get -f', () => {
  let cwd: string;
  before(() => {
    cwd = mkdtempSync(join(tmpdir(), 'orchctl-get-'));
    const map = (name: string, more = ''): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${more}}\n`;
    writeFileSync(join(cwd, 'one.yaml'), map('a'));
    writeFileSync(join(cwd, 'two.yaml'), `${map('a')}---\n${map('b', ', namespace: other')}`);
  });
  after(() => rmSync(cwd, { recursive: true }));

  const found = (name: string, namespace: string): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
  });
  const answers = {
    '/api/v1/namespaces/default/configmaps/a': found('a', 'default'),
    '/api/v1/namespaces/other/configmaps/b': found('b', 'other'),
  };
  const get = (...words: readonly string[]): Promise<LineResult> =>
    runLine(['get', ...words], { answers, cwd });

  it('shows the object of a file as the server has it', async () => {
    const { stdout, code } = await get('-f', 'one.yaml', '-o', 'jsonpath={.kind} {.metadata.namespace}');
    assert.deepEqual([stdout, code], ['ConfigMap default', 0]);
  });

  it('shows objects of several namespaces as a list', async () => {
    const { stdout } = await get('-f', 'two.yaml', '-o', 'jsonpath={.items[*].metadata.namespace}');
    assert.equal(stdout, 'default other');
  });

  it('shows all files of a folder as a list', async () => {
    const { stdout } = await get('-f', '.', '-o', 'jsonpath={.kind} {.items[*].metadata.name}');
    assert.equal(stdout, 'List a a b');
  });

  it('takes no arguments besides', async () => {
    const { stderr, code } = await get('-f', 'one.yaml', 'pods');
    assert.match(stderr, /you may not specify resource arguments as well/);
    assert.equal(code, 1);
  });
});
