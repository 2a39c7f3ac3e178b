import assert from 'node:assert/strict';
import { defaultTolerationSeconds } from '../../../src/admission/default-toleration-seconds/plugin.ts';
import { priority, type PriorityClass } from '../../../src/admission/priority/plugin.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { row } from '../../support/object-store.ts';
import { admit, pod, podRequest } from './pod-requests.ts';

describe('DefaultTolerationSeconds', () => {
  const plugin = defaultTolerationSeconds([
    { taint: 'not-ready', seconds: 300 },
    { taint: 'unreachable', seconds: 20 },
  ]);
  const notReady = { key: 'not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 };
  const unreachable = { key: 'unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 20 };

  const cases: [title: string, given: JsonObject[] | undefined, added: JsonObject[]][] = [
    ['to a pod without any', undefined, [notReady, unreachable]],
    ['beside others', [{ key: 'other', operator: 'Exists' }], [notReady, unreachable]],
    [
      'beside one of a taint that keeps pods away',
      [{ key: 'not-ready', effect: 'NoSchedule' }],
      [notReady, unreachable],
    ],
    ['only for what is not spoken of', [{ key: 'not-ready', effect: 'NoExecute' }], [unreachable]],
    ['not where all effects of a taint are tolerated', [{ key: 'unreachable', effect: '' }], [notReady]],
    ['not where everything is tolerated', [{ operator: 'Exists' }], []],
  ];
  for (const [title, given, added] of cases) {
    it(`adds tolerations ${title}`, async () => {
      const spec = given === undefined ? {} : { tolerations: given };
      const result = (await admit(plugin, podRequest(pod(spec)))) as JsonObject;
      assert.deepEqual(result['tolerations'] ?? [], [...(given ?? []), ...added]);
    });
  }

  it('leaves statuses alone', async () => {
    assert.deepEqual(await admit(plugin, podRequest(pod({}), { subresource: 'status' })), {});
  });
});

describe('Priority', () => {
  const HIGH: PriorityClass = { name: 'high', value: 1000, globalDefault: false, preemptionPolicy: 'Never' };
  const USUAL: PriorityClass = {
    name: 'usual',
    value: 10,
    globalDefault: true,
    preemptionPolicy: 'PreemptLowerPriority',
  };
  const LOWER: PriorityClass = { ...USUAL, name: 'lower', value: 5 };

  function plugin(cached: readonly PriorityClass[], live = cached) {
    return priority({
      group: 'scheduling.k8s.io',
      listClasses: (freshness) => Promise.resolve(freshness === 'live' ? live : cached),
    });
  }

  const cases: [
    title: string,
    classes: readonly PriorityClass[],
    spec: JsonObject,
    expected: JsonObject | RegExp,
  ][] = [
    ['0 where there is no default', [HIGH], {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    [
      'that of the default class',
      [HIGH, USUAL],
      {},
      { priorityClassName: 'usual', priority: 10, preemptionPolicy: 'PreemptLowerPriority' },
    ],
    [
      'that of the lowest of several defaults',
      [USUAL, LOWER],
      {},
      { priorityClassName: 'lower', priority: 5, preemptionPolicy: 'PreemptLowerPriority' },
    ],
    [
      'that of its class',
      [HIGH, USUAL],
      { priorityClassName: 'high' },
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
    ],
    [
      'what it says itself, if that is the same',
      [HIGH],
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
    ],
    ['no other priority', [HIGH], { priorityClassName: 'high', priority: 7 }, /its priority: .* is 1000/],
    ['no priority without a class', [], { priority: 7 }, /its priority: .* is 0/],
    [
      'no other policy',
      [HIGH],
      { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' },
      /its preemptionPolicy: .* is Never/,
    ],
    [
      'no empty policy',
      [HIGH],
      { priorityClassName: 'high', preemptionPolicy: '' },
      /its preemptionPolicy: .* is Never/,
    ],
    [
      'nothing of a class that is not there',
      [HIGH],
      { priorityClassName: 'none' },
      /no PriorityClass with name none/,
    ],
  ];
  for (const [title, classes, spec, expected] of cases) {
    it(`gives a pod ${title}`, async () => {
      const result = await admit(plugin(classes), podRequest(pod({ ...spec })));
      if (!(expected instanceof RegExp)) assert.deepEqual(result, expected);
      else {
        assert.equal((result as ApiError).code, 403);
        assert.match((result as ApiError).message, expected);
      }
    });
  }

  it('finds a class that the cache does not know yet', async () => {
    const result = await admit(plugin([], [HIGH]), podRequest(pod({ priorityClassName: 'high' })));
    assert.equal((result as JsonObject)['priority'], 1000);
  });

  it('keeps what updates leave out', async () => {
    const old = pod({ priority: 5, preemptionPolicy: 'Never' });
    const update = (spec: JsonObject) =>
      admit(plugin([]), podRequest(pod(spec), { operation: 'UPDATE', oldObject: old }));
    assert.deepEqual(await update({}), { priority: 5, preemptionPolicy: 'Never' });
    assert.deepEqual(await update({ priority: 6 }), { priority: 6, preemptionPolicy: 'Never' });
  });

  it('lets one class be the default', async () => {
    const resource = row('priorityclasses', { group: 'scheduling.k8s.io', namespaced: false });
    const ask = (operation: 'CREATE' | 'UPDATE', name: string, globalDefault: boolean) => {
      const object: ApiObject = {
        apiVersion: 'v1',
        kind: 'PriorityClass',
        metadata: { name },
        globalDefault,
      };
      return admit(plugin([HIGH, USUAL]), podRequest(object, { operation, resource, namespace: '' }));
    };
    assert.match(
      ((await ask('CREATE', 'new', true)) as ApiError).message,
      /usual is already marked as default/,
    );
    assert.equal(((await ask('UPDATE', 'high', true)) as ApiError).code, 403);
    assert.equal(await ask('UPDATE', 'usual', true), undefined);
    assert.equal(await ask('CREATE', 'new', false), undefined);
  });
});
