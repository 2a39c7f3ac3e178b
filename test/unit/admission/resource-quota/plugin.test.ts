import assert from 'node:assert/strict';
import type { AdmissionRequest } from '../../../../src/admission/admission.ts';
import type { LimitedResource } from '../../../../src/admission/resource-quota/check.ts';
import { quotaEvaluators } from '../../../../src/admission/resource-quota/evaluators/evaluators.ts';
import { resourceQuota } from '../../../../src/admission/resource-quota/plugin.ts';
import { ApiError } from '../../../../src/errors/api-error.ts';
import type { JsonObject } from '../../../../src/meta/object.ts';
import { loadNames } from '../../../../src/names/load.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { pod, podRequest } from '../pod-requests.ts';
import { admissionRequest, object } from '../requests.ts';
import { MemoryQuotas, quota } from './quota-store.ts';

describe('ResourceQuota', () => {
  function plugin(quotas: MemoryQuotas, limited: LimitedResource[] = []) {
    const names = loadNames({ profile: 'kubernetes' });
    const evaluatorOf = quotaEvaluators(names, false);
    return resourceQuota({ evaluatorOf, quotas, limited, clock: new ManualClock() });
  }

  /** @returns `allowed`, or why not */
  async function ask(
    quotas: MemoryQuotas,
    request: AdmissionRequest,
    limited?: LimitedResource[],
  ): Promise<string> {
    try {
      await plugin(quotas, limited).validate?.(request);
      return 'allowed';
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return `${error.code} ${error.message}`;
    }
  }

  const claim = (storage: string, fields: Partial<AdmissionRequest> = {}) =>
    admissionRequest('persistentvolumeclaims', '', { object: claimOf(storage), ...fields });
  const claimOf = (storage: string) =>
    object(
      { name: 'c', namespace: 'n', resourceVersion: '1' },
      { spec: { resources: { requests: { storage } } } },
    );

  it('charges what is new, and refuses what is too much with the amounts', async () => {
    const quotas = new MemoryQuotas(quota('q', { persistentvolumeclaims: '1', 'requests.storage': '5Gi' }));
    assert.equal(await ask(quotas, claim('2Gi')), 'allowed');
    assert.deepEqual(quotas.used('q'), { persistentvolumeclaims: '1', 'requests.storage': '2Gi' });
    assert.equal(
      await ask(quotas, claim('4Gi')),
      '403 persistentvolumeclaims "c" is forbidden: exceeded quota: q, ' +
        'requested: persistentvolumeclaims=1,requests.storage=4Gi, used: persistentvolumeclaims=1,requests.storage=2Gi, ' +
        'limited: persistentvolumeclaims=1,requests.storage=5Gi',
    );
  });

  it('charges updates by the difference, and nothing for what becomes less', async () => {
    const quotas = new MemoryQuotas(quota('q', { 'requests.storage': '5Gi' }, { 'requests.storage': '2Gi' }));
    assert.equal(await ask(quotas, claim('4Gi', { oldObject: claimOf('2Gi') })), 'allowed');
    assert.deepEqual(quotas.used('q'), { 'requests.storage': '4Gi' });
    assert.equal(await ask(quotas, claim('1Gi', { oldObject: claimOf('4Gi') })), 'allowed');
    assert.deepEqual(quotas.used('q'), { 'requests.storage': '4Gi' });
    assert.match(await ask(quotas, claim('9Gi', { oldObject: claimOf('4Gi') })), /^403/);
  });

  it('charges nothing in a dry run, but refuses', async () => {
    const quotas = new MemoryQuotas(quota('q', { persistentvolumeclaims: '1' }));
    assert.equal(await ask(quotas, claim('1', { dryRun: true })), 'allowed');
    assert.deepEqual(quotas.used('q'), { persistentvolumeclaims: '0' });
    assert.equal(await ask(quotas, claim('1')), 'allowed');
    assert.match(await ask(quotas, claim('1', { dryRun: true })), /^403/);
  });

  it('gives back what it charged when the object is not stored', async () => {
    const quotas = new MemoryQuotas(quota('q', { persistentvolumeclaims: '1' }));
    const undos: (() => Promise<void>)[] = [];
    assert.equal(await ask(quotas, claim('1', { onUndo: (undo) => void undos.push(undo) })), 'allowed');
    for (const undo of undos) await undo();
    assert.deepEqual(quotas.used('q'), { persistentvolumeclaims: '0' });
  });

  it('does not know what is used before the controller has said it', async () => {
    const unknown = { ...quota('q', { secrets: '5' }), used: new Map() };
    const secret = admissionRequest('secrets', '', { object: object({ name: 's', namespace: 'n' }) });
    assert.match(
      await ask(new MemoryQuotas(unknown), secret),
      /^403 .*status unknown for quota: q, resources: secrets/,
    );
  });

  it('demands that pods say what is limited', async () => {
    const quotas = new MemoryQuotas(quota('q', { cpu: '5' }));
    assert.match(
      await ask(quotas, podRequest(pod({ containers: [{ name: 'c' }] }))),
      /failed quota: q: must specify cpu for: c/,
    );
  });

  it('leaves alone what quotas in scope do not count', async () => {
    const quotas = new MemoryQuotas(quota('q', { pods: '0' }, {}, { scopes: ['Terminating'] }));
    assert.equal(await ask(quotas, podRequest(pod({ containers: [{ name: 'c' }] }))), 'allowed');
    assert.match(await ask(quotas, podRequest(pod({ activeDeadlineSeconds: 1 }))), /exceeded quota/);
  });

  it('looks at nothing in the cluster, and at no updates that use nothing', async () => {
    const quotas = new MemoryQuotas(quota('q', { secrets: '0' }));
    const lists = quotas.lists.length;
    const node = { ...admissionRequest('nodes', '', { object: object({ name: 'n' }) }) };
    assert.equal(await ask(quotas, node), 'allowed');
    assert.equal(quotas.lists.length, lists);
    const old = object({ name: 's', namespace: 'n' });
    assert.equal(
      await ask(quotas, admissionRequest('secrets', '', { object: old, oldObject: old })),
      'allowed',
    );
  });

  const LIMITED: LimitedResource = {
    group: '',
    resource: 'pods',
    matchContains: ['requests.example.com/gpu'],
    matchScopes: [{ scope: 'PriorityClass', operator: 'In', values: ['high'] }],
  };
  const gpus = { containers: [{ name: 'c', resources: { requests: { 'example.com/gpu': '1' } } }] };
  const limited: [title: string, spec: JsonObject, quotas: MemoryQuotas, expected: RegExp][] = [
    [
      'devices without a quota',
      gpus,
      new MemoryQuotas(),
      /insufficient quota to consume: requests.example.com\/gpu/,
    ],
    [
      'devices with a quota',
      gpus,
      new MemoryQuotas(quota('q', { 'requests.example.com/gpu': '1' })),
      /^allowed/,
    ],
    [
      'a priority without a quota',
      { priorityClassName: 'high' },
      new MemoryQuotas(),
      /insufficient quota to match these scopes: PriorityClass/,
    ],
    [
      'a priority with a quota',
      { priorityClassName: 'high' },
      new MemoryQuotas(
        quota(
          'q',
          { pods: '1' },
          {},
          { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] } },
        ),
      ),
      /^allowed/,
    ],
    ['nothing special', { containers: [{ name: 'c' }] }, new MemoryQuotas(), /^allowed/],
  ];
  for (const [title, spec, quotas, expected] of limited) {
    it(`decides about ${title} where that is needed`, async () =>
      assert.match(await ask(quotas, podRequest(pod(spec)), [LIMITED]), expected));
  }
});
