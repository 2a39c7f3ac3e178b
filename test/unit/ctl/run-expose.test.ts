import assert from 'node:assert/strict';
import { isImageReference } from '../../../src/cli/ctl/create/image-reference.ts';
import { runLine, type Answers, type LineResult } from '../../support/run-line.ts';

const run = (words: readonly string[], answers: Answers = {}): Promise<LineResult> =>
  runLine(words, { answers });
const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/web';
const deployment = (spec: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { of: 'me' } },
  spec,
});

describe('isImageReference', () => {
  for (const good of [
    'nginx',
    'a/b:c',
    'r.example:5000/a__b/c-d:1.2_3',
    '[::1]:5000/a',
    `a@sha256:${'0'.repeat(64)}`,
  ])
    it(`takes ${good}`, () => assert.ok(isImageReference(good)));
  for (const bad of ['', 'UPPER', 'a:', 'a//b', 'a b', 'a@sha256:0', `a${'-'.repeat(600)}b`, '-a'])
    it(`refuses ${JSON.stringify(bad.slice(0, 20))}`, () => assert.ok(!isImageReference(bad)));
});

describe('orchctl run', () => {
  it('asks no server in a dry run on the client', async () => {
    const { stdout, code, requests } = await run(['run', 'x', '--image=i', '--dry-run=client', '-o', 'name']);
    assert.deepEqual([stdout, code, requests.length], ['pod/x\n', 0, 0]);
  });

  it('makes the service before the pod', async () => {
    const { stdout, requests } = await run(['run', 'x', '--image=i', '--port=80', '--expose'], {
      'POST /api/v1/namespaces/default/services?fieldValidation=Strict&fieldManager=orchctl-run': {
        kind: 'Service',
        apiVersion: 'v1',
        metadata: { name: 'x' },
      },
      'POST /api/v1/namespaces/default/pods?fieldValidation=Strict&fieldManager=orchctl-run': {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { name: 'x' },
      },
    });
    assert.equal(stdout, 'service/x created\npod/x created\n');
    const [service] = requests.filter(({ method }) => method === 'POST');
    assert.deepEqual((JSON.parse(String(service?.body)) as { spec: object }).spec, {
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      selector: { run: 'x' },
    });
  });

  const refused: readonly (readonly [words: readonly string[], message: RegExp])[] = [
    [[], /NAME is required for run/],
    [['x'], /--image is required/],
    [['x', '--image=A B'], /Invalid image name "A B": invalid reference format/],
    [['x', '--image=i', '--expose'], /--port must be set when exposing a service/],
    [['x', '--image=i', '--port=99999'], /invalid port "99999": it is a number from 0 to 65535/],
    [['x', '--image=i', '--env==1'], /invalid env: =1\nVariables are written NAME=VALUE\./],
    [['x', '--image=i', '--labels=a'], /unexpected label spec: a/],
    [['x', '--image=i', '--overrides={'], /--overrides can't be applied: .*\nThey are a JSON object/],
    [['x', '--image=i', '--overrides=[]'], /--overrides must leave an object/],
    [['x', '--image=i', '--override-type=json', '--overrides={}'], /a list of operations is needed/],
  ];
  for (const [words, message] of refused) {
    it(`refuses: run ${words.join(' ')}`, async () => {
      const { stderr, code } = await run(['run', ...words]);
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});

describe('orchctl expose', () => {
  it('names each port by its number and protocol where there are several', async () => {
    const containers = [
      { ports: [{ containerPort: 53, protocol: 'UDP' }, { containerPort: 53 }] },
      { ports: [{ containerPort: 80 }] },
    ];
    const { stdout } = await run(
      ['expose', 'deployment', 'web', '--dry-run=client', '-o', 'jsonpath={.spec.ports[*].name}'],
      {
        [DEPLOYMENT]: deployment({
          selector: { matchLabels: { a: 'b' } },
          template: { spec: { containers } },
        }),
      },
    );
    assert.equal(stdout, 'port-1-udp port-1-tcp port-2');
  });

  const refused: readonly (readonly [spec: object, flags: readonly string[], message: RegExp])[] = [
    [
      {},
      ['--port=1'],
      /couldn't retrieve selectors .*matchLabels.*\nSay with --selector which labels the pods have\./,
    ],
    [
      { selector: { matchLabels: { a: 'b' }, matchExpressions: [{}] } },
      ['--port=1'],
      /its selector has expressions/,
    ],
    [
      { selector: { matchLabels: { a: 'b' } } },
      [],
      /couldn't find port .*\nSay with --port which port the service has\./,
    ],
  ];
  for (const [spec, flags, message] of refused) {
    it(`tells what is missing: ${JSON.stringify(spec)}`, async () => {
      const { stderr, code } = await run(['expose', 'deployment', 'web', ...flags], {
        [DEPLOYMENT]: deployment(spec),
      });
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }

  it('says what can be exposed', async () => {
    const answers = { '/api/v1/namespaces/default/configmaps/c': { metadata: { name: 'c' } } };
    const { stderr } = await run(['expose', 'configmap', 'c', '--port=1'], answers);
    assert.match(
      stderr,
      /^error: cannot expose a ConfigMap\nIt is one of Pod, Service, .* or ReplicaSet\.\n$/,
    );
  });
});
