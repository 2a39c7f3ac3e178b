import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const LABELS = { a: 'b' };
const ODD = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'no label!'] }] };
const ODD_NOT_IN = { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['no label!'] }] };
const CONTAINER = { name: 'c', image: 'i' };

type Spec = Record<string, unknown>;
const template = (spec: Spec = {}, metadata: object = {}): JsonObject => ({
  metadata: { labels: LABELS, ...metadata },
  spec: { containers: [CONTAINER], ...spec },
});
const podTemplate = (spec: Spec, metadata: object = {}): Case => [
  `${NAMESPACE}/podtemplates`,
  { template: template(spec, metadata) },
  { template: template() },
];
const withContainer = (more: object): Spec => ({ containers: [{ ...CONTAINER, ...more }] });
const near = (labelSelector: object): Spec => ({
  affinity: {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'z', labelSelector }] },
  },
});
const spread = (labelSelector: object): Spec => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
  ],
});
const claimOf = (selector: object): object => ({
  ...{ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  selector,
});
const tokenAt = (path: string): Spec => ({
  serviceAccountName: 'default',
  volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path } }] } }],
});
const sysctl = (more: Spec = {}): Spec => ({
  securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] },
  ...more,
});

/** Where, what has a fault that old releases let pass, the same without, and with which gates it is a fault. */
type Case = readonly [path: string, odd: JsonObject, sound: JsonObject, setting?: 'all'];

/** What was stored when there was no such rule. */
const TOLERATED: Readonly<Record<string, Case>> = {
  'the selector of a DaemonSet': [
    `${APPS}/daemonsets`,
    { spec: { selector: ODD, template: template() } },
    { spec: { selector: { matchLabels: LABELS }, template: template() } },
  ],
  'the selector of a Job': [
    '/apis/batch/v1/namespaces/default/jobs',
    { spec: { manualSelector: true, selector: ODD, template: template({ restartPolicy: 'Never' }) } },
    {
      spec: {
        manualSelector: true,
        selector: { matchLabels: LABELS },
        template: template({ restartPolicy: 'Never' }),
      },
    },
  ],
  'the selector of a PodDisruptionBudget': [
    '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    { spec: { minAvailable: 1, selector: ODD_NOT_IN } },
    { spec: { minAvailable: 1, selector: { matchLabels: LABELS } } },
  ],
  'a selector of a NetworkPolicy': [
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    { spec: { podSelector: ODD } },
    { spec: { podSelector: { matchLabels: LABELS } } },
  ],
  'a selector of pods to be near to': podTemplate(near(ODD)),
  'a selector of pods to be spread with': podTemplate(spread({ matchLabels: { a: 'no label!' } })),
  'what it costs to delete a pod': podTemplate(
    {},
    { annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'much' } },
  ),
  'parts of huge pages': podTemplate(
    withContainer({ resources: { limits: { cpu: '1', 'hugepages-2Mi': '3Mi' } } }),
  ),
  'the path of a token outside of its volume': podTemplate(tokenAt('../a')),
  'kernel parameters of the whole node': podTemplate(sysctl({ hostNetwork: true })),
  'a domain to search in with underscores': podTemplate({
    dnsConfig: { searches: ['_a.ex_am__ple.com', '_b.', '.'] },
  }),
  'a sleep of no time': podTemplate({
    terminationGracePeriodSeconds: 5,
    ...withContainer({ lifecycle: { preStop: { sleep: { seconds: 0 } } } }),
  }),
  'how a sidecar is resized': [
    `${NAMESPACE}/podtemplates`,
    {
      template: template({
        initContainers: [
          {
            ...{ name: 'i', image: 'i', restartPolicy: 'Always' },
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
          },
        ],
      }),
    },
    { template: template() },
    'all',
  ],
};

/** What objects may not keep, either. */
const NEVER: Readonly<Record<string, Case>> = {
  'the selector of a Deployment': [
    `${APPS}/deployments`,
    { spec: { selector: ODD, template: template() } },
    { spec: { selector: { matchLabels: LABELS }, template: template() } },
  ],
  'a value that a selector wants of a label': podTemplate(near({ matchLabels: { a: 'no label!' } })),
  'the selector of a claim that is made for a pod': podTemplate({
    volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claimOf(ODD) } } }],
  }),
  'a domain to search in that is none': podTemplate({ dnsConfig: { searches: ['a b'] } }),
  'an empty domain to search in': podTemplate({ dnsConfig: { searches: [''] } }),
  'a domain to search in of two dots': podTemplate({ dnsConfig: { searches: ['..'] } }),
  'a domain to search in with an underscore at its end': podTemplate({ dnsConfig: { searches: ['foo_'] } }),
  'a domain to search in with two underscores before it': podTemplate({ dnsConfig: { searches: ['__foo'] } }),
  'a domain to search in that is too long': podTemplate({
    dnsConfig: { searches: [`_${'a'.repeat(253)}`] },
  }),
};

describe('faults of objects from old releases', () => {
  let cluster: Cluster;
  const open = async (setting: 'default' | 'all' = 'default'): Promise<void> => {
    cluster = await Cluster.open({ setting });
  };
  afterEach(() => cluster.close());

  /** Writes past all rules. */
  const store = async (path: string, odd: JsonObject, sound: JsonObject): Promise<void> => {
    const { object } = await cluster.expect(201, `POST ${path}`, {
      body: { metadata: { name: 'o' }, ...sound },
    });
    const [found] = (await cluster.storage.range({ start: '/registry/', end: '/registry0' })).items.filter(
      ({ value }) => value.includes(object.metadata.uid!),
    );
    const stored = JSON.parse(String(found?.value)) as JsonObject;
    const value = Buffer.from(JSON.stringify(merged(stored, odd)));
    assert.ok((await cluster.storage.replace(found!.key, found!.modRevision, value)).ok);
  };
  const change = (path: string, body: JsonObject): Promise<number> =>
    cluster
      .ask(`PATCH ${path}/o`, { body, contentType: 'application/merge-patch+json' })
      .then(({ status }) => status);

  for (const [title, [path, odd, sound, setting]] of Object.entries({ ...TOLERATED, ...NEVER })) {
    const isTolerated = Object.hasOwn(TOLERATED, title);
    it(`${isTolerated ? 'stay' : 'do not stay'} where they are, and don't come anew: ${title}`, async () => {
      await open(setting);
      await cluster.expect(422, `POST ${path}`, { body: { metadata: { name: 'n' }, ...odd } });
      await store(path, odd, sound);
      assert.equal(await change(path, { metadata: { labels: { x: 'y' } } }), isTolerated ? 200 : 422);
    });
  }

  it('are told with all causes in the selector of a Deployment', async () => {
    await open();
    const [path, odd, sound] = NEVER['the selector of a Deployment']!;
    await store(path, odd, sound);
    const { object } = await cluster.expect(422, `PATCH ${path}/o`, {
      body: { metadata: { labels: { x: 'y' } } },
      contentType: 'application/merge-patch+json',
    });
    const { causes } = object['details'] as { causes: { field: string }[] };
    assert.deepEqual(causes.map(({ field }) => field).sort(), [
      'spec.selector',
      'spec.selector.matchExpressions[0].values[1]',
    ]);
  });

  it('excuse none of another name: a selector that cannot be read has no wrong values', async () => {
    await open();
    const [path, , sound] = NEVER['the selector of a Deployment']!;
    const selector = { matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] };
    await store(path, { spec: { selector } }, sound);
    const { object } = await cluster.expect(422, `PATCH ${path}/o`, {
      body: { spec: { template: { spec: near(ODD_NOT_IN) as JsonObject } } },
      contentType: 'application/merge-patch+json',
    });
    const { causes } = object['details'] as { causes: { field: string }[] };
    assert.deepEqual(causes.map(({ field }) => field.replace(/.*podAffinity\./, '')).sort(), [
      'requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].values[0]',
      'spec.selector',
      'spec.selector.matchExpressions[0].operator',
    ]);
  });

  it('excuse none in another place: how pods are spread says nothing of their affinity', async () => {
    await open();
    const [path, , sound] = TOLERATED['a selector of pods to be spread with']!;
    await store(path, { template: template(spread(ODD)) }, sound);
    assert.equal(await change(path, { metadata: { labels: { x: 'y' } } }), 200);
    assert.equal(await change(path, { template: { spec: near(ODD) as JsonObject } }), 422);
  });

  it('in the selector of a budget let pods be evicted, which it does not count', async () => {
    await open();
    const [path, odd, sound] = TOLERATED['the selector of a PodDisruptionBudget']!;
    await store(path, odd, sound);
    await cluster.expect(201, `POST ${NAMESPACE}/pods`, {
      body: { ...template(), metadata: { name: 'p', labels: LABELS } },
    });
    await cluster.expect(201, `POST ${NAMESPACE}/pods/p/eviction`, { body: { metadata: { name: 'p' } } });
  });

  it('are told when they come to an object that had others', async () => {
    await open();
    const [path, odd, sound] = TOLERATED['a selector of pods to be near to']!;
    await store(path, odd, sound);
    assert.equal(await change(path, { template: { spec: tokenAt('../a') as JsonObject } }), 422);
    assert.equal(await change(path, { template: { spec: near(ODD_NOT_IN) as JsonObject } }), 200);
    assert.equal(await change(path, { template: { spec: { affinity: null } } }), 200);
    assert.equal(await change(path, { template: { spec: near(ODD_NOT_IN) as JsonObject } }), 422);
  });
});

/** RFC 7386, for what a test needs of it. */
function merged(into: JsonObject, patch: JsonObject): JsonObject {
  const result = { ...into };
  for (const [key, value] of Object.entries(patch)) {
    const both = [result[key], value];
    const objects = both.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
    result[key] = objects ? merged(result[key] as JsonObject, value as JsonObject) : (value ?? null);
  }
  return result;
}
