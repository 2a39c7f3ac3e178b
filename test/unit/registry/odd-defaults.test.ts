import assert from 'node:assert/strict';
import { objectAt, objectsAt } from '../../../src/meta/fields.ts';
import type { Json, JsonObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';

const APPS = '/apis/apps/v1/namespaces/default';
const CORE = '/api/v1/namespaces/default';
const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const workload = {
  selector: { matchLabels: { a: 'b' } },
  template: { metadata: { labels: { a: 'b' } }, spec: podSpec },
};

interface Case {
  readonly name: string;
  readonly path: string;
  readonly spec: JsonObject;
  /** What is read of the answer's spec. */
  readonly read: (spec: JsonObject) => Json | undefined;
  readonly want: Json;
}

const strategyOf = (spec: JsonObject): Json | undefined => spec['updateStrategy'];
const statefulSet = (updateStrategy?: JsonObject): Pick<Case, 'path' | 'spec'> => ({
  path: `${APPS}/statefulsets`,
  spec: updateStrategy === undefined ? workload : { ...workload, updateStrategy },
});
const pullPolicyOf = (spec: JsonObject): Json | undefined =>
  objectsAt(spec, 'containers')[0]?.['imagePullPolicy'];
const ofImage = (image: string): Pick<Case, 'path' | 'spec' | 'read'> => ({
  path: `${CORE}/pods`,
  spec: { containers: [{ name: 'c', image }] },
  read: pullPolicyOf,
});

const CASES: readonly Case[] = [
  {
    name: 'a StatefulSet without a strategy rolls, with all parameters',
    ...statefulSet(),
    read: strategyOf,
    want: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
  },
  {
    name: 'a StatefulSet that names its strategy gets no parameters',
    ...statefulSet({ type: 'RollingUpdate' }),
    read: strategyOf,
    want: { type: 'RollingUpdate' },
  },
  {
    name: 'a StatefulSet that has some parameters gets the others',
    ...statefulSet({ type: 'RollingUpdate', rollingUpdate: {} }),
    read: strategyOf,
    want: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
  },
  {
    name: 'a pod whose time to end is negative gets a second',
    path: `${CORE}/pods`,
    spec: { ...podSpec, terminationGracePeriodSeconds: -5 },
    read: (spec) => spec['terminationGracePeriodSeconds'],
    want: 1,
  },
  {
    name: 'a template keeps its negative time to end',
    path: `${APPS}/daemonsets`,
    spec: {
      ...workload,
      template: { ...workload.template, spec: { ...podSpec, terminationGracePeriodSeconds: -5 } },
    },
    read: (spec) => objectAt(objectAt(spec, 'template'), 'spec')?.['terminationGracePeriodSeconds'],
    want: -5,
  },
  { name: 'an image without a tag is pulled always', ...ofImage('i'), want: 'Always' },
  { name: 'an image of a long name is, too', ...ofImage('x'.repeat(247)), want: 'Always' },
  {
    name: 'an image of no usable name is not',
    ...ofImage('x'.repeat(248)),
    want: 'IfNotPresent',
  },
  {
    name: 'an image in a registry that can be none is not, either',
    ...ofImage('-a.example.com/i'),
    want: 'IfNotPresent',
  },
  { name: 'an image that is a digest is not, either', ...ofImage('f'.repeat(64)), want: 'IfNotPresent' },
  ...(
    [
      ['a/', 253, 254],
      ['registry.example.com/', 255, 256],
      ['registry:5000/', 255, 256],
      ['Registry/', 255, 256],
      ['localhost/', 255, 256],
      ['docker.io/', 247, 248],
      ['docker.io/a/', 253, 254],
    ] as const
  ).flatMap(([prefix, fits, isTooLong]) => [
    {
      name: `the longest usable name after ${prefix} has ${fits} characters`,
      ...ofImage(`${prefix}${'x'.repeat(fits)}:latest`),
      want: 'Always',
    },
    {
      name: `a name after ${prefix} may be too long to be usable`,
      ...ofImage(`${prefix}${'x'.repeat(isTooLong)}:latest`),
      want: 'IfNotPresent',
    },
  ]),
];

describe('defaults that follow from what was sent', () => {
  let cluster: Cluster;
  before(async () => (cluster = await Cluster.open({ setting: 'default' })));
  after(() => cluster.close());

  for (const { name, path, spec, read, want } of CASES) {
    it(name, async () => {
      const { object } = await cluster.expect(201, `POST ${path}?dryRun=All`, {
        body: { metadata: { name: 'odd' }, spec },
      });
      assert.deepEqual(read(objectAt(object, 'spec') ?? {}), want);
    });
  }

  it('a LimitRange needs no name', async () => {
    const { object } = await cluster.expect(201, `POST ${CORE}/limitranges?dryRun=All`, {
      body: { spec: { limits: [] } },
    });
    assert.match(
      objectAt(object, 'metadata')?.['name'] as string,
      /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
    );
  });
});
