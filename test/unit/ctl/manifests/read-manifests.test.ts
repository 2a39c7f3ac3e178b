import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readManifests, type ReadManifests } from '../../../../src/cli/ctl/manifests/read-manifests.ts';

describe('manifests', () => {
  let cwd: string;
  before(() => {
    cwd = mkdtempSync(join(tmpdir(), 'orch-manifests-'));
  });
  after(() => rmSync(cwd, { recursive: true }));

  const write = (name: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  };
  const read = (
    filenames: string[],
    options: { recursive?: boolean; stdin?: string } = {},
  ): Promise<ReadManifests> =>
    readManifests({
      filenames,
      recursive: options.recursive ?? false,
      cwd,
      // eslint-disable-next-line @typescript-eslint/require-await -- it stands for a stream
      stdin: async function* () {
        yield Buffer.from(options.stdin ?? '');
      },
      signal: new AbortController().signal,
    });
  const names = ({ manifests }: ReadManifests): string[] =>
    manifests.map(({ object }) => `${object.kind}/${object.metadata.name}`);
  const told = ({ errors }: ReadManifests): string[] => errors.map(({ message }) => message);
  const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

  it('reads documents between dashes, and leaves empty ones out', async () => {
    const text = `# nothing\n---\n${configMap('a')}--- # more\n\n---\n# only a comment\n---\r\n${configMap('b')}`;
    const found = await read(['-'], { stdin: text });
    assert.deepEqual(names(found), ['ConfigMap/a', 'ConfigMap/b']);
    assert.deepEqual(
      found.manifests.map(({ place }) => [place.file, place.document, place.line]),
      [
        ['STDIN', 1, 3],
        ['STDIN', 2, 11],
      ],
    );
  });

  it('reads JSON objects one behind the other, and YAML after them', async () => {
    const json = (name: string): string =>
      JSON.stringify(
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { x: '}"{' } },
        null,
        1,
      );
    const found = await read(['-'], {
      stdin: `${json('a')}\n${json('b')}${json('c')}\n---\n${configMap('d')}`,
    });
    assert.deepEqual(names(found), ['ConfigMap/a', 'ConfigMap/b', 'ConfigMap/c', 'ConfigMap/d']);
    assert.deepEqual(
      found.manifests.map(({ place }) => place.line),
      [1, 11, 20, 31],
    );
  });

  it('takes lists apart, of items that say their kind and of those that need not', async () => {
    const text = `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Secret, metadata: {name: a}}
- apiVersion: v1
  kind: ConfigMapList
  items: [{metadata: {name: b}}]
- {apiVersion: v1, metadata: {name: c}}
`;
    const found = await read(['-'], { stdin: text });
    assert.deepEqual(names(found), ['Secret/a', 'ConfigMap/b']);
    assert.deepEqual(told(found), ['STDIN: document 1, item 2, line 8: kind: is not set']);
  });

  it('reads files of folders by name, those in folders of them where asked', async () => {
    for (const name of ['b.yaml', 'a.json', 'c.yml', 'inner/d.yaml', 'readme.txt'])
      write(`folder/${name}`, configMap(name.replaceAll(/\W/g, '')));
    assert.deepEqual(names(await read(['folder'])), ['ConfigMap/ajson', 'ConfigMap/byaml', 'ConfigMap/cyml']);
    const all = await read(['folder'], { recursive: true });
    assert.deepEqual(names(all).at(-1), 'ConfigMap/inneryaml'.replace('inner', 'innerd'));
    assert.deepEqual(names(await read(['folder/*.y*ml'])), ['ConfigMap/byaml', 'ConfigMap/cyml']);
    assert.deepEqual(names(await read(['folder/readme.txt'])), ['ConfigMap/readmetxt']);
  });

  it('tells every mistake with its file, document, line and field, and keeps what is right', async () => {
    write(
      'mistakes.yaml',
      `${configMap('good')}---
kind: ConfigMap
metadata: {name: a}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: 5
---
apiVersion: v1
kind: ConfigMap
data:
  a: b
 c: d
---
- a list
---
apiVersion: a/b/c
kind: [x]
metadata: text
---
${configMap('last')}`,
    );
    const found = await read(['mistakes.yaml']);
    assert.deepEqual(names(found), ['ConfigMap/good', 'ConfigMap/last']);
    assert.deepEqual(told(found), [
      'mistakes.yaml: document 2, line 5: apiVersion: is not set',
      'mistakes.yaml: document 3, line 11: metadata.name: must be a string, not number',
      'mistakes.yaml: document 4, line 17: this is not YAML: All mapping items must start at the same column',
      'mistakes.yaml: document 5, line 19: an object is expected here',
      'mistakes.yaml: document 6, line 22: kind: must be a string',
    ]);
  });

  it('warns of keys that are there twice', async () => {
    write('twice.yaml', `${configMap('x')}---\n${configMap('a')}data:\n  a: b\n  a: c\n`);
    const { warnings, manifests } = await read(['twice.yaml']);
    assert.deepEqual(warnings, ['twice.yaml: document 2, line 10: key "a" already set in map']);
    assert.deepEqual(manifests[1]?.object['data'], { a: 'c' });
  });

  it('keeps integers exact', async () => {
    const { manifests } = await read(['-'], { stdin: `${configMap('a')}x: 9007199254740993\n` });
    assert.equal(manifests[0]?.object['x'], 9007199254740993n);
  });

  for (const [what, filenames, why] of [
    ['a file that is not there', ['missing.yaml'], /the path "missing.yaml" does not exist/],
    ['a pattern that matches nothing', ['*.none'], /the path "\*\.none" does not exist/],
    ['a folder without manifests', ['empty'], /recognized file extensions are \[\.json \.yaml \.yml\]/],
    ['the standard input twice', ['-', '-'], /can be read only once/],
  ] as const) {
    it(`refuses ${what} before anything is done`, async () => {
      mkdirSync(join(cwd, 'empty'), { recursive: true });
      await assert.rejects(read([...filenames]), why);
    });
  }

  it('tells of files that are no texts, and reads the others', async () => {
    write('binary.yaml', Uint8Array.of(0xff, 0xfe, 0));
    write('fine.yaml', configMap('fine'));
    const found = await read(['binary.yaml', 'fine.yaml']);
    assert.deepEqual(told(found), ['binary.yaml: this is not a text in UTF-8']);
    assert.deepEqual(names(found), ['ConfigMap/fine']);
  });

  it('fetches addresses, and tells what their server says', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/missing.yaml') response.statusCode = 404;
      response.end(configMap('fetched'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = await read([`${url}/a.yaml`, `${url}/missing.yaml`]);
    server.close();
    assert.deepEqual(names(found), ['ConfigMap/fetched']);
    assert.deepEqual(told(found), [
      `unable to read URL "${url}/missing.yaml", server reported 404 Not Found`,
    ]);
  });
});
