import assert from 'node:assert/strict';
import { runLine, type Answers } from '../../support/run-line.ts';

const PODS = '/api/v1/namespaces/default/pods';
const COLUMNS = [
  { name: 'Name', type: 'string', format: 'name', priority: 0 },
  { name: 'Ready', type: 'string', priority: 0 },
  { name: 'IP', type: 'string', priority: 1 },
];

function table(names: readonly string[], more: object = {}): object {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '7', ...more },
    columnDefinitions: COLUMNS,
    rows: names.map((name) => ({
      cells: [name, '1/1', null],
      object: { metadata: { name, namespace: 'default', labels: { app: name } } },
    })),
  };
}

function pods(names: readonly string[], more: object = {}): object {
  const items = names.map((name) => ({
    metadata: { name, namespace: 'default', managedFields: [{ manager: 'm' }] },
    status: { phase: name },
  }));
  return { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7', ...more }, items };
}

const ASKED = `${PODS}?limit=500`;

describe('orchctl get', () => {
  it("shows the server's table", async () => {
    const { code, stdout, requests } = await runLine(['get', 'pods'], {
      answers: { [ASKED]: table(['a', 'long-name']) },
    });
    assert.equal(stdout, 'NAME        READY\na           1/1\nlong-name   1/1\n');
    assert.equal(code, 0);
    assert.match(
      String(requests.at(-1)?.headers?.['accept']),
      /^application\/json;as=Table;v=v1;g=meta\.k8s\.io,/,
    );
  });

  it('shows more columns, labels and no headers where asked to', async () => {
    const answers = { [ASKED]: table(['a']) };
    const wide = await runLine(['get', 'po', '-owide', '-L', 'x/app', '--show-labels'], { answers });
    assert.equal(wide.stdout, 'NAME   READY   IP    APP   LABELS\na      1/1                 app=a\n');
    const bare = await runLine(['get', 'po', '--no-headers'], { answers });
    assert.equal(bare.stdout, 'a     1/1\n');
  });

  it('writes pages as they come', async () => {
    const answers = {
      [`${PODS}?limit=1`]: table(['a'], { continue: 'more' }),
      [`${PODS}?limit=1&continue=more`]: table(['b']),
    };
    const { stdout } = await runLine(['get', 'pods', '--chunk-size=1'], { answers });
    assert.equal(stdout, 'NAME   READY\na      1/1\nb      1/1\n');
  });

  it('tells kinds apart with headers for each', async () => {
    const answers = { [ASKED]: table(['a']), '/api/v1/namespaces/default/services?limit=500': table(['b']) };
    const { stdout } = await runLine(['get', 'pods,svc'], { answers });
    assert.equal(stdout, 'NAME    READY\npod/a   1/1\n\nNAME        READY\nservice/b   1/1\n');
  });

  it('adds namespaces with -A', async () => {
    const { stdout } = await runLine(['get', 'pods', '-A'], {
      answers: { '/api/v1/pods?limit=500': table(['a']) },
    });
    assert.equal(stdout, 'NAMESPACE   NAME   READY\ndefault     a      1/1\n');
  });

  it('says that there is nothing', async () => {
    const answers: Answers = { [ASKED]: table([]), '/api/v1/namespaces?limit=500': table([]) };
    const one = await runLine(['get', 'pods'], { answers });
    assert.deepEqual(
      [one.stdout, one.stderr, one.code],
      ['', 'No resources found in default namespace.\n', 0],
    );
    assert.equal((await runLine(['get', 'ns'], { answers })).stderr, 'No resources found\n');
    assert.equal((await runLine(['get', 'ns', '--ignore-not-found'], { answers })).stderr, '');
  });

  it('shows what there is of several names, and what is missing', async () => {
    const reason = { kind: 'Status', reason: 'NotFound', code: 404, message: 'pods "b" not found' };
    const answers = { [`${PODS}/a`]: table(['a']), [`${PODS}/b`]: { status: 404, json: reason } };
    const { stdout, stderr, code } = await runLine(['get', 'pods', 'b', 'a'], { answers });
    assert.equal(stdout, 'NAME   READY\na      1/1\n');
    assert.equal(stderr, 'Error from server (NotFound): pods "b" not found\n');
    assert.equal(code, 1);
    assert.equal((await runLine(['get', 'pods', 'b', 'a', '--ignore-not-found'], { answers })).code, 0);
  });

  it('shows several objects as a List, without who manages which fields', async () => {
    const answers = { [ASKED]: pods(['a', 'b']) };
    const { stdout } = await runLine(['get', 'pods', '-o', 'yaml'], { answers });
    const item = (name: string): string =>
      `- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: ${name}\n    namespace: default\n  status:\n    phase: ${name}\n`;
    const tail = 'kind: List\nmetadata:\n  resourceVersion: ""\n';
    assert.equal(stdout, `apiVersion: v1\nitems:\n${item('a')}${item('b')}${tail}`);
    const all = await runLine(['get', 'pods', '-o', 'json', '--show-managed-fields'], { answers });
    assert.match(all.stdout, /"managedFields"/);
  });

  it('writes a List page by page, as it would be at once', async () => {
    const answers = {
      [`${PODS}?limit=1`]: pods(['a'], { continue: 'more' }),
      [`${PODS}?limit=1&continue=more`]: pods(['b']),
      [ASKED]: pods(['a', 'b']),
      [PODS]: pods(['a', 'b']),
      '/api/v1/namespaces/none/pods?limit=500': pods([]),
      '/api/v1/namespaces/none/pods': pods([]),
    };
    for (const form of ['json', 'yaml', 'name']) {
      const { stdout } = await runLine(['get', 'pods', '-o', form, '--chunk-size=1'], { answers });
      // A sort needs them all.
      const whole = await runLine(['get', 'pods', '-o', form, '--sort-by=.metadata.name'], { answers });
      assert.equal(stdout, whole.stdout);
      assert.equal(whole.code, 0);
    }
    const empty = await runLine(['get', 'pods', '-n', 'none', '-o', 'yaml'], { answers });
    assert.equal(empty.stdout, 'apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: ""\n');
    const json = await runLine(['get', 'pods', '-n', 'none', '-o', 'json'], { answers });
    assert.match(json.stdout, /^ {4}"items": \[\],$/m);
  });

  it('shows one object by its name as itself', async () => {
    const answers = {
      [`${PODS}/a`]: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a' },
        n: 9007199254740993n.toString(),
      },
    };
    const { stdout } = await runLine(['get', 'pod/a', '-ojson'], { answers });
    assert.equal(
      stdout,
      '{\n    "apiVersion": "v1",\n    "kind": "Pod",\n    "metadata": {\n        "name": "a"\n    },\n    "n": "9007199254740993"\n}\n',
    );
  });

  it('keeps integers that a double has no room for', async () => {
    const { stdout } = await runLine(['get', 'pod', 'a', '-o', 'jsonpath={.n}'], {
      answers: { [`${PODS}/a`]: '{"kind":"Pod","apiVersion":"v1","n":9007199254740993}' },
    });
    assert.equal(stdout, '9007199254740993');
  });

  it('shows names, columns of choice, and sorts', async () => {
    const answers = { [ASKED]: pods(['b', 'a']), [PODS]: pods(['b', 'a']) };
    assert.equal((await runLine(['get', 'pods', '-o', 'name'], { answers })).stdout, 'pod/b\npod/a\n');
    const columns = await runLine(['get', 'pods', '-o', 'custom-columns=N:metadata.name,X:.x'], { answers });
    assert.equal(columns.stdout, 'N     X\nb     <none>\na     <none>\n');
    const sorted = await runLine(['get', 'pods', '-o', 'name', '--sort-by=.status.phase'], { answers });
    assert.equal(sorted.stdout, 'pod/a\npod/b\n');
  });

  it('passes selectors on', async () => {
    const { requests } = await runLine([
      'get',
      'pods',
      '-l',
      'a in (b,c)',
      '--field-selector=x!=y',
      '-n',
      'other',
    ]);
    assert.equal(
      requests.at(-1)?.path,
      '/api/v1/namespaces/other/pods?labelSelector=a+in+%28b%2Cc%29&fieldSelector=x%21%3Dy&limit=500',
    );
  });

  it('follows a watch until the server ends it with an error', async () => {
    const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
    const gone = { kind: 'Status', reason: 'Expired', code: 410, message: 'too old' };
    const watch = `${PODS}?watch=true&resourceVersion=7&allowWatchBookmarks=true`;
    const answers = {
      [ASKED]: table(['a']),
      [watch]: event('MODIFIED', { ...table(['a']), columnDefinitions: [] }) + event('ERROR', gone),
    };
    const { stdout, stderr, code } = await runLine(['get', 'pods', '-w', '--output-watch-events'], {
      answers,
    });
    assert.equal(stdout, 'EVENT      NAME   READY\nADDED      a      1/1\nMODIFIED   a      1/1\n');
    assert.equal(stderr, 'Error from server (Expired): too old\n');
    assert.equal(code, 1);
  });

  const refused: readonly [string, RegExp][] = [
    ['get', /You must specify the type of resource to get/],
    ['get nosuch', /^error: the server doesn't have a resource type "nosuch"\n$/],
    ['get podz', /a resource type "podz"\nIs pods meant\?\n$/],
    ['get pods a -A', /a resource cannot be retrieved by name across all namespaces/],
    ['get pods a -l x=y', /name cannot be provided when a selector is specified/],
    ['get pod/a svc', /no need to specify a resource type as a separate argument/],
    ['get pods --show-labels -ojson', /--show-labels option cannot be used with json printer/],
    ['get pods -o jsonpath', /template format specified but no template given/],
    ['get pods -o nonsense', /unable to match a printer suitable for the output format "nonsense"/],
    ['get pods --output-watch-events', /can only be used with --watch or --watch-only/],
  ];
  for (const [line, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { code, stderr, stdout } = await runLine(line.split(' '));
      assert.match(stderr, message);
      assert.deepEqual([code, stdout], [1, '']);
    });
  }

  it('emphasises headers on a terminal only', async () => {
    const answers = { [ASKED]: table(['a']) };
    const { stdout } = await runLine(['get', 'pods'], { answers, terminal: true });
    assert.equal(stdout, '\x1b[1mNAME   READY\x1b[22m\na      1/1\n');
    const plain = await runLine(['get', 'pods'], { answers, terminal: true, env: { NO_COLOR: '1' } });
    assert.equal(plain.stdout, 'NAME   READY\na      1/1\n');
  });
});
