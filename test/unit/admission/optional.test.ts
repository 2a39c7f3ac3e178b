import assert from 'node:assert/strict';
import type { AdmissionPlugin, AdmissionRequest } from '../../../src/admission/admission.ts';
import { alwaysPullImages } from '../../../src/admission/always-pull-images/plugin.ts';
import { alwaysAdmit, alwaysDeny } from '../../../src/admission/always/plugins.ts';
import { denyServiceExternalIPs } from '../../../src/admission/deny-service-external-ips/plugin.ts';
import { extendedResourceToleration } from '../../../src/admission/extended-resource-toleration/plugin.ts';
import { limitPodHardAntiAffinityTopology } from '../../../src/admission/limit-pod-hard-anti-affinity-topology/plugin.ts';
import { namespaceAutoProvision, namespaceExists } from '../../../src/admission/namespace-exists/plugins.ts';
import { ownerReferencesPermissionEnforcement } from '../../../src/admission/owner-references/plugin.ts';
import { parseLabels } from '../../../src/admission/pod-node-selector/labels.ts';
import { podNodeSelector } from '../../../src/admission/pod-node-selector/plugin.ts';
import { podTolerationRestriction } from '../../../src/admission/pod-toleration-restriction/plugin.ts';
import { isBestEffort } from '../../../src/admission/pod-resources.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { JsonObject, OwnerReference } from '../../../src/meta/object.ts';
import { admit, pod, podRequest } from './pod-requests.ts';
import { admissionRequest, object } from './requests.ts';

/** @returns `allowed`, or the code and text of the refusal */
async function verdict(plugin: AdmissionPlugin, request: AdmissionRequest): Promise<string> {
  const answer = await admit(plugin, request);
  return answer instanceof ApiError ? `${answer.code} ${answer.message}` : 'allowed';
}

describe('AlwaysAdmit and AlwaysDeny', () => {
  it('allow everything, and nothing', async () => {
    assert.equal(await verdict(alwaysAdmit(), podRequest(pod())), 'allowed');
    assert.match(await verdict(alwaysDeny(), podRequest(pod())), /^403/);
    assert.match(await verdict(alwaysDeny(), admissionRequest('pods', '', { oldObject: pod() })), /^403/);
  });
});

describe('AlwaysPullImages', () => {
  const containers = (image: string, imagePullPolicy?: string): JsonObject => ({
    containers: [{ name: 'c', image, ...(imagePullPolicy && { imagePullPolicy }) }],
  });

  it('has all images of a new pod pulled', async () => {
    const spec = await admit(
      alwaysPullImages(),
      podRequest(
        pod({
          ...containers('i', 'Never'),
          initContainers: [{ name: 'j', image: 'i' }],
          volumes: [
            { name: 'v', image: { reference: 'i', pullPolicy: 'IfNotPresent' } },
            { name: 'w', emptyDir: {} },
          ],
        }),
      ),
    );
    assert.deepEqual(spec, {
      ...containers('i', 'Always'),
      initContainers: [{ name: 'j', image: 'i', imagePullPolicy: 'Always' }],
      volumes: [
        { name: 'v', image: { reference: 'i', pullPolicy: 'Always' } },
        { name: 'w', emptyDir: {} },
      ],
    });
  });

  it('leaves updates alone that bring no image', async () => {
    const update = (image: string) =>
      podRequest(pod(containers(image, 'Never')), { operation: 'UPDATE', oldObject: pod(containers('i')) });
    assert.deepEqual(await admit(alwaysPullImages(), update('i')), containers('i', 'Never'));
    assert.deepEqual(await admit(alwaysPullImages(), update('j')), containers('j', 'Always'));
  });

  it('refuses what somebody changed afterwards', async () => {
    await assert.rejects(
      async () => alwaysPullImages().validate?.(podRequest(pod(containers('i', 'Never')))),
      /spec.containers\[0\].imagePullPolicy must be Always/,
    );
  });
});

describe('ExtendedResourceToleration', () => {
  const plugin = extendedResourceToleration((name) => name.includes('/'));
  const asks = (...names: string[]): JsonObject[] =>
    names.map((name) => ({ resources: { requests: { [name]: '1' } } }));
  const tolerates = (key: string): JsonObject => ({ key, operator: 'Exists', effect: 'NoSchedule' });

  it('adds a toleration for each device that is asked for, once', async () => {
    const spec = {
      containers: asks('b/gpu', 'cpu'),
      initContainers: asks('a/nic', 'b/gpu'),
      tolerations: [tolerates('b/gpu')],
    };
    const { tolerations } = (await admit(plugin, podRequest(pod(spec)))) as JsonObject;
    assert.deepEqual(tolerations, [tolerates('b/gpu'), tolerates('a/nic')]);
    assert.deepEqual(await admit(plugin, podRequest(pod({ containers: asks('cpu') }))), {
      containers: asks('cpu'),
    });
  });
});

describe('LimitPodHardAntiAffinityTopology', () => {
  const cases: [topologyKey: string, rule: string, allowed: boolean][] = [
    ['hostname', 'requiredDuringSchedulingIgnoredDuringExecution', true],
    ['zone', 'requiredDuringSchedulingIgnoredDuringExecution', false],
    ['zone', 'preferredDuringSchedulingIgnoredDuringExecution', true],
  ];
  for (const [topologyKey, rule, allowed] of cases) {
    it(`${allowed ? 'allows' : 'refuses'} ${rule} by ${topologyKey}`, async () => {
      const spec = { affinity: { podAntiAffinity: { [rule]: [{ topologyKey }] } } };
      const answer = await verdict(limitPodHardAntiAffinityTopology('hostname'), podRequest(pod(spec)));
      assert.equal(answer === 'allowed', allowed, answer);
    });
  }
});

describe('DenyServiceExternalIPs', () => {
  const service = (...externalIPs: string[]) => object({ name: 's' }, { spec: { externalIPs } });
  const cases: [title: string, now: string[], old: string[] | undefined, allowed: boolean][] = [
    ['none', [], undefined, true],
    ['a new one', ['1.1.1.1'], undefined, false],
    ['those that are there', ['1.1.1.1'], ['2.2.2.2', '1.1.1.1'], true],
    ['another', ['1.1.1.1', '3.3.3.3'], ['1.1.1.1'], false],
  ];
  for (const [title, now, old, allowed] of cases) {
    it(`${allowed ? 'allows' : 'refuses'} ${title}`, async () => {
      const request = admissionRequest('services', '', {
        object: service(...now),
        ...(old && { oldObject: service(...old) }),
      });
      assert.match(
        await verdict(denyServiceExternalIPs(), request),
        allowed ? /^allowed$/ : /^403 .*Use of external IPs is denied by admission control/,
      );
    });
  }
});

describe('NamespaceExists and NamespaceAutoProvision', () => {
  it('look live before they refuse', async () => {
    const looks: string[] = [];
    const plugin = (found: 'cached' | 'live' | 'never') =>
      namespaceExists((_, freshness) => Promise.resolve((looks.push(freshness), freshness === found)));
    assert.equal(await verdict(plugin('cached'), podRequest(pod())), 'allowed');
    assert.equal(await verdict(plugin('live'), podRequest(pod())), 'allowed');
    assert.match(await verdict(plugin('never'), podRequest(pod())), /^404 namespaces "n" not found/);
    assert.deepEqual(looks, ['cached', 'cached', 'live', 'cached', 'live']);
  });

  it('make what is missing, but not in a dry run', async () => {
    const created: string[] = [];
    const plugin = (exists: boolean) =>
      namespaceAutoProvision(
        () => Promise.resolve(exists),
        (name) => Promise.resolve(void created.push(name)),
      );
    await admit(plugin(true), podRequest(pod()));
    await admit(plugin(false), podRequest(pod(), { dryRun: true }));
    assert.deepEqual(created, []);
    await admit(plugin(false), podRequest(pod()));
    assert.deepEqual(created, ['n']);
  });
});

describe('OwnerReferencesPermissionEnforcement', () => {
  const owner = (uid: string, blockOwnerDeletion?: boolean, kind = 'Job'): OwnerReference => ({
    apiVersion: 'batch/v1',
    kind,
    name: `job-${uid}`,
    uid,
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  });
  const withOwners = (...ownerReferences: OwnerReference[]) =>
    object({ name: 'x', namespace: 'n', ownerReferences });

  /** @param allowed what the user may do: `verb resource/subresource name in namespace` */
  async function ask(request: AdmissionRequest, ...allowed: string[]): Promise<string> {
    const plugin = ownerReferencesPermissionEnforcement({
      mayDo: (_, { verb, resource, subresource, name, namespace }) =>
        Promise.resolve(allowed.includes(`${verb} ${resource}/${subresource} ${name} in ${namespace}`)),
      resourceOf: (apiVersion, kind) =>
        apiVersion === 'batch/v1' && kind === 'Job'
          ? { group: 'batch', version: 'v1', resource: 'jobs', namespaced: true }
          : undefined,
    });
    return verdict(plugin, request);
  }
  const create = (...owners: OwnerReference[]) =>
    admissionRequest('configmaps', '', { object: withOwners(...owners) });
  const update = (now: OwnerReference[], old: OwnerReference[]) =>
    admissionRequest('configmaps', '', { object: withOwners(...now), oldObject: withOwners(...old) });
  const MAY_DELETE = 'delete configmaps/ x in n';
  const MAY_HOLD = 'update jobs/finalizers job-a in n';

  const cases: [title: string, request: AdmissionRequest, allowed: string[], expected: RegExp][] = [
    ['no owners', create(), [], /^allowed/],
    ['owners of a new object', create(owner('a')), [], /^allowed/],
    ['owners that stay', update([owner('a')], [owner('a')]), [], /^allowed/],
    ['a new owner of an object that may not be deleted', update([owner('a')], []), [], /^403 .*may delete/],
    ['a new owner of one that may be', update([owner('a')], []), [MAY_DELETE], /^allowed/],
    ['an owner that has to wait', create(owner('a', true)), [], /^403 .*finalizers of the Job job-a/],
    ['one that may be held up', create(owner('a', true)), [MAY_HOLD], /^allowed/],
    [
      'one for who may hold up everything',
      create(owner('a', true)),
      ['update */finalizers * in '],
      /^allowed/,
    ],
    [
      'one that waits already',
      update([owner('a', true), owner('b')], [owner('a', true)]),
      [MAY_DELETE],
      /^allowed/,
    ],
    ['one that begins to wait', update([owner('a', true)], [owner('a')]), [MAY_DELETE], /^403/],
    ['one of a kind that nobody knows', create(owner('a', true, 'Thing')), [], /there is no kind Thing/],
  ];
  for (const [title, request, allowed, expected] of cases) {
    it(`decides about ${title}`, async () => assert.match(await ask(request, ...allowed), expected));
  }

  it('leaves the status of pods to nodes', async () => {
    const request = {
      ...update([owner('a')], []),
      resource: podRequest(pod()).resource,
      subresource: 'status',
    };
    assert.equal(await ask(request), 'allowed');
  });
});

describe('PodNodeSelector', () => {
  const labels = (text: string): ReadonlyMap<string, string> =>
    parseLabels(text) ?? new Map<string, string>();
  const plugin = (annotations: Record<string, string>) =>
    podNodeSelector({
      annotationsOf: () => Promise.resolve(annotations),
      annotation: 'where',
      byDefault: labels('zone=a'),
      allowed: new Map([['limited', labels('zone=a,disk=ssd')]]),
    });
  const cases: [
    title: string,
    annotations: Record<string, string>,
    selector: JsonObject,
    expected: JsonObject | RegExp,
    namespace?: string,
  ][] = [
    ['the default', {}, {}, { zone: 'a' }],
    ['its own besides', {}, { disk: 'ssd' }, { disk: 'ssd', zone: 'a' }],
    ["the namespace's", { where: 'zone=b, disk=hdd' }, {}, { zone: 'b', disk: 'hdd' }],
    ['nothing where the namespace wants that', { where: '' }, {}, {}],
    ['another than the namespace', { where: 'zone=b' }, { zone: 'c' }, /zone=b is wanted/],
    ['what can not be read', { where: 'zone' }, {}, /no list of labels/],
    ['what is allowed', {}, { disk: 'ssd' }, { disk: 'ssd', zone: 'a' }, 'limited'],
    ['what is not', {}, { disk: 'hdd' }, /may not choose nodes by the label disk/, 'limited'],
    ['what nobody spoke of', {}, { gpu: 'x' }, /by the label gpu/, 'limited'],
  ];
  for (const [title, annotations, nodeSelector, expected, namespace = 'n'] of cases) {
    it(`has pods choose ${title}`, async () => {
      const answer = await admit(plugin(annotations), podRequest(pod({ nodeSelector }), { namespace }));
      if (expected instanceof RegExp) assert.match(String((answer as ApiError).message), expected);
      else assert.deepEqual(answer, { nodeSelector: expected });
    });
  }
});

describe('PodTolerationRestriction', () => {
  const exists = (key: string, fields: JsonObject = {}): JsonObject => ({
    key,
    operator: 'Exists',
    ...fields,
  });
  const pressure = exists('memory', { effect: 'NoSchedule' });
  const plugin = (annotations: Record<string, string>) =>
    podTolerationRestriction({
      annotationsOf: () => Promise.resolve(annotations),
      annotations: { byDefault: 'default', allowed: 'allowed' },
      byDefault: [exists('spot')],
      allowed: [exists('spot'), exists('memory'), exists('gpu')],
      memoryPressure: 'memory',
      isBestEffort,
    });
  const busy = { containers: [{ resources: { requests: { cpu: '1' } } }] };
  const cases: [
    title: string,
    annotations: Record<string, string>,
    spec: JsonObject,
    expected: JsonObject[] | RegExp,
  ][] = [
    ['the default', {}, {}, [exists('spot')]],
    ['memory pressure, where it asks for something', {}, busy, [exists('spot'), pressure]],
    [
      'what is allowed',
      {},
      { tolerations: [exists('gpu', { effect: 'NoExecute' })] },
      [exists('gpu', { effect: 'NoExecute' }), exists('spot')],
    ],
    ['what is not allowed', {}, { tolerations: [exists('other')] }, /more than its cluster allows/],
    ['everything, which is more than is allowed', {}, { tolerations: [exists('')] }, /more than its cluster/],
    [
      "the namespace's",
      { default: '[{"key":"own","operator":"Exists"}]', allowed: '[{"key":"own","operator":"Exists"}]' },
      {},
      [exists('own')],
    ],
    [
      'what the namespace does not allow',
      { allowed: '[{"key":"own"}]' },
      {},
      /more than its namespace allows/,
    ],
    [
      'anything where the namespace says so',
      { default: '', allowed: '' },
      { tolerations: [exists('other')] },
      [exists('other')],
    ],
    ['what can not be read', { default: '{}' }, {}, /no list of tolerations/],
  ];
  for (const [title, annotations, spec, expected] of cases) {
    it(`has pods tolerate ${title}`, async () => {
      const answer = await admit(plugin(annotations), podRequest(pod(structuredClone(spec))));
      if (expected instanceof RegExp) assert.match(String((answer as ApiError).message), expected);
      else assert.deepEqual((answer as JsonObject)['tolerations'], expected);
    });
  }

  it('adds nothing of the namespace to pods that are there', async () => {
    const update = podRequest(pod({}), { operation: 'UPDATE', oldObject: pod({}) });
    assert.deepEqual(await admit(plugin({}), update), {});
  });
});
