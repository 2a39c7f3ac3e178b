import assert from 'node:assert/strict';
import { readClass, type DefaultableClass } from '../../../src/admission/classes.ts';
import { defaultIngressClass } from '../../../src/admission/default-ingress-class/plugin.ts';
import { runtimeClass } from '../../../src/admission/runtime-class/plugin.ts';
import {
  defaultStorageClass,
  persistentVolumeClaimResize,
  storageObjectInUseProtection,
  type StorageClass,
} from '../../../src/admission/storage/plugins.ts';
import { taintNodesByCondition } from '../../../src/admission/taint-nodes-by-condition/plugin.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { admit, pod, podRequest } from './pod-requests.ts';
import { admissionRequest, object } from './requests.ts';

const OLD = 'old-class';

function made(name: string, fields: Partial<StorageClass> = {}): StorageClass {
  return { name, isDefault: true, created: '2024-01-01T00:00:00Z', allowsExpansion: false, ...fields };
}

describe('classes', () => {
  it('are the default where an annotation says so', () => {
    const read = (annotations: Record<string, string>): boolean =>
      readClass(object({ name: 'c', annotations }), ['is-default', 'was-default']).isDefault;
    assert.deepEqual(
      [{ 'is-default': 'true' }, { 'was-default': 'true' }, { 'is-default': 'True' }, {}].map(read),
      [true, true, false, false],
    );
  });

  const cases: [title: string, classes: DefaultableClass[], expected: string | undefined][] = [
    ['the default', [made('a', { isDefault: false }), made('b')], 'b'],
    ['the newest default', [made('a'), made('b', { created: '2025-01-01T00:00:00Z' })], 'b'],
    ['the first by name of equally new ones', [made('b'), made('a')], 'a'],
    ['none where none is', [made('a', { isDefault: false })], undefined],
  ];
  for (const [title, classes, expected] of cases) {
    it(`of Ingresses: ${title}`, async () => {
      const plugin = defaultIngressClass({
        group: 'networking.k8s.io',
        listClasses: () => Promise.resolve(classes),
        classAnnotation: OLD,
      });
      const request = admissionRequest('ingresses', 'networking.k8s.io', {
        object: object({ name: 'i' }, { spec: {} }),
      });
      assert.deepEqual(
        await admit(plugin, request),
        expected === undefined ? {} : { ingressClassName: expected },
      );
    });
  }

  const chosen: [title: string, ingress: ApiObject][] = [
    ['a class', object({ name: 'i' }, { spec: { ingressClassName: 'own' } })],
    ['a class by annotation', object({ name: 'i', annotations: { [OLD]: '' } }, { spec: {} })],
  ];
  for (const [title, ingress] of chosen) {
    it(`are not given to Ingresses that name ${title}`, async () => {
      const plugin = defaultIngressClass({
        group: '',
        listClasses: () => assert.fail('nobody asks'),
        classAnnotation: OLD,
      });
      const before = structuredClone(ingress['spec']);
      assert.deepEqual(await admit(plugin, admissionRequest('ingresses', '', { object: ingress })), before);
    });
  }
});

describe('the plugins of storage', () => {
  const claim = (
    spec: JsonObject,
    annotations?: Record<string, string>,
    status: JsonObject = {},
  ): ApiObject =>
    object({ name: 'c', namespace: 'n', ...(annotations && { annotations }) }, { spec, status });
  const claims = (fields: { object: ApiObject; oldObject?: ApiObject; subresource?: string }) =>
    admissionRequest('persistentvolumeclaims', '', fields);
  const storage = (...classes: StorageClass[]) => ({
    listClasses: () => Promise.resolve(classes),
    classAnnotation: OLD,
  });

  it('keep volumes and claims that are in use', async () => {
    const plugin = storageObjectInUseProtection({
      persistentvolumes: 'a/pv',
      persistentvolumeclaims: 'a/pvc',
    });
    const finalizersOf = async (resource: string, finalizers?: string[]): Promise<string[] | undefined> => {
      const made = object({ name: 'x', ...(finalizers && { finalizers }) });
      await admit(plugin, admissionRequest(resource, '', { object: made }));
      return made.metadata.finalizers;
    };
    assert.deepEqual(await finalizersOf('persistentvolumes'), ['a/pv']);
    assert.deepEqual(await finalizersOf('persistentvolumeclaims', ['b/x']), ['b/x', 'a/pvc']);
    assert.deepEqual(await finalizersOf('persistentvolumeclaims', ['a/pvc']), ['a/pvc']);
    assert.equal(await finalizersOf('pods'), undefined);
  });

  const given: [title: string, claim: ApiObject, expected: JsonObject][] = [
    ['a claim that says nothing', claim({}), { storageClassName: 'fast' }],
    ['no claim that wants no class', claim({ storageClassName: '' }), { storageClassName: '' }],
    ['no claim that names one', claim({ storageClassName: 'slow' }), { storageClassName: 'slow' }],
    ['no claim that names one by annotation', claim({}, { [OLD]: 'slow' }), {}],
  ];
  for (const [title, asked, expected] of given) {
    it(`give the default class to ${title}`, async () =>
      assert.deepEqual(
        await admit(defaultStorageClass(storage(made('fast'))), claims({ object: asked })),
        expected,
      ));
  }

  const sized = (size: string, storageClassName: string | undefined = 'fast', phase = 'Bound'): ApiObject =>
    claim(
      { resources: { requests: { storage: size } }, ...(storageClassName && { storageClassName }) },
      undefined,
      { phase },
    );
  const resizes: [
    title: string,
    now: ApiObject,
    old: ApiObject,
    classes: StorageClass[],
    allowed: boolean,
  ][] = [
    [
      'a claim whose class can grow',
      sized('2Gi'),
      sized('1Gi'),
      [made('fast', { allowsExpansion: true })],
      true,
    ],
    ['one whose class can not', sized('2Gi'), sized('1Gi'), [made('fast')], false],
    ['one whose class is gone', sized('2Gi'), sized('1Gi'), [], false],
    ['one without a class', sized('2Gi', ''), sized('1Gi', ''), [made('', { allowsExpansion: true })], false],
    [
      'one that is not bound',
      sized('2Gi'),
      sized('1Gi', 'fast', 'Pending'),
      [made('fast', { allowsExpansion: true })],
      false,
    ],
    [
      'one that gets another class',
      sized('2Gi'),
      sized('1Gi', 'slow'),
      [made('fast', { allowsExpansion: true })],
      false,
    ],
    ['one that stays as it is', sized('1024Mi'), sized('1Gi', 'fast', 'Pending'), [], true],
  ];
  for (const [title, now, old, classes, allowed] of resizes) {
    it(`${allowed ? 'let' : "don't let"} grow ${title}`, async () => {
      const plugin = persistentVolumeClaimResize(storage(...classes));
      const answer = await admit(plugin, claims({ object: now, oldObject: old }));
      assert.equal(answer instanceof ApiError, !allowed);
    });
  }
});

describe('TaintNodesByCondition', () => {
  const READY = { key: 'not-ready', effect: 'NoSchedule' };
  const cases: [title: string, taints: JsonObject[] | undefined, added: boolean][] = [
    ['has no taint', undefined, true],
    [
      'has others',
      [
        { key: 'other', effect: 'NoSchedule' },
        { key: 'not-ready', effect: 'NoExecute' },
      ],
      true,
    ],
    ['has it', [{ ...READY, value: 'x' }], false],
  ];
  for (const [title, taints, added] of cases) {
    it(`${added ? 'taints' : 'leaves'} a node that ${title}`, async () => {
      const node = object({ name: 'n' }, taints && { spec: { taints } });
      const spec = (await admit(
        taintNodesByCondition('not-ready'),
        admissionRequest('nodes', '', { object: node }),
      )) as JsonObject;
      assert.deepEqual(spec['taints'], added ? [...(taints ?? []), READY] : taints);
    });
  }
});

describe('RuntimeClass', () => {
  const CLASSES: Record<string, JsonObject> = {
    plain: {},
    heavy: { overhead: { podFixed: { cpu: '100m', memory: '1Mi' } } },
    placed: {
      scheduling: {
        nodeSelector: { kind: 'vm' },
        tolerations: [
          { key: 'vm', operator: 'Exists' },
          { key: 'x', operator: 'Exists' },
        ],
      },
    },
  };
  const plugin = runtimeClass({
    getClass: (name) => Promise.resolve(CLASSES[name] && object({ name }, structuredClone(CLASSES[name]))),
  });
  const cases: [title: string, spec: JsonObject, expected: JsonObject | RegExp][] = [
    ['no class', {}, {}],
    ['a class without anything', { runtimeClassName: 'plain' }, { runtimeClassName: 'plain' }],
    [
      'the overhead',
      { runtimeClassName: 'heavy' },
      { runtimeClassName: 'heavy', overhead: { cpu: '100m', memory: '1Mi' } },
    ],
    [
      'the overhead that the pod has as well',
      { runtimeClassName: 'heavy', overhead: { cpu: '0.1', memory: '1024Ki' } },
      { runtimeClassName: 'heavy', overhead: { cpu: '100m', memory: '1Mi' } },
    ],
    ['another overhead', { runtimeClassName: 'heavy', overhead: { cpu: '1' } }, /overhead/],
    [
      'an overhead of its own',
      { runtimeClassName: 'plain', overhead: { cpu: '1' } },
      /only where its RuntimeClass/,
    ],
    ['an overhead without a class', { overhead: { cpu: '1' } }, /only where its RuntimeClass/],
    [
      'the place',
      {
        runtimeClassName: 'placed',
        nodeSelector: { zone: 'a' },
        tolerations: [{ key: 'x', operator: 'Equal', value: 'y' }],
      },
      {
        runtimeClassName: 'placed',
        nodeSelector: { zone: 'a', kind: 'vm' },
        tolerations: [
          { key: 'vm', operator: 'Exists' },
          { key: 'x', operator: 'Exists' },
        ],
      },
    ],
    ['another place', { runtimeClassName: 'placed', nodeSelector: { kind: 'metal' } }, /kind=metal/],
    ['a class that does not exist', { runtimeClassName: 'none' }, /there is no RuntimeClass "none"/],
  ];
  for (const [title, spec, expected] of cases) {
    it(`decides about a pod with ${title}`, async () => {
      const answer = await admit(plugin, podRequest(pod(spec)));
      if (!(expected instanceof RegExp)) assert.deepEqual(answer, expected);
      else {
        assert.ok(answer instanceof ApiError);
        assert.equal(answer.code, 403);
        assert.match(answer.message, expected);
      }
    });
  }
});
