import assert from 'node:assert/strict';
import {
  createAdmission,
  type AdmissionPlugin,
  type AdmissionRequest,
} from '../../../src/admission/admission.ts';
import {
  namespaceLifecycle,
  type NamespaceState,
} from '../../../src/admission/namespace-lifecycle/plugin.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import { row } from '../../support/object-store.ts';

const CONFIG_MAPS = row('configmaps', { kind: 'ConfigMap' });
const NAMESPACES = row('namespaces', { namespaced: false });

function request(fields: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    operation: 'CREATE',
    resource: CONFIG_MAPS,
    subresource: '',
    namespace: 'n',
    name: 'a',
    object: undefined,
    oldObject: undefined,
    options: {},
    dryRun: false,
    user: { name: 'u', uid: '', groups: [], extra: {} },
    signal: new AbortController().signal,
    warn: () => undefined,
    ...fields,
  };
}

describe('the admission chain', () => {
  it('runs each phase of the plugins in order, for the operations they care about', async () => {
    const calls: string[] = [];
    const plugin = (name: string, operations: AdmissionPlugin['operations']): AdmissionPlugin => ({
      name,
      operations,
      mutate: () => Promise.resolve(void calls.push(`mutate ${name}`)),
      validate: () => Promise.resolve(void calls.push(`validate ${name}`)),
    });
    const admission = createAdmission([
      plugin('first', ['CREATE']),
      plugin('second', ['DELETE']),
      plugin('third', ['CREATE', 'UPDATE']),
    ]);
    await admission.mutate(request());
    await admission.validate(request());
    assert.deepEqual(calls, ['mutate first', 'mutate third', 'validate first', 'validate third']);
  });

  it('stops at the first refusal', async () => {
    let reached = false;
    const admission = createAdmission([
      { name: 'no', operations: ['CREATE'], validate: () => Promise.reject(new ApiError('Forbidden', 'no')) },
      { name: 'next', operations: ['CREATE'], validate: () => Promise.resolve(void (reached = true)) },
    ]);
    await assert.rejects(admission.validate(request()), { reason: 'Forbidden' });
    assert.equal(reached, false);
  });
});

describe('the choice of plugins', () => {
  it('leaves out those that have nothing to do with the resource, and finds that out once', async () => {
    const asked: string[] = [];
    const calls: string[] = [];
    const admission = createAdmission([
      {
        name: 'only namespaces',
        operations: ['CREATE'],
        concerns: ({ resource }) => (asked.push(resource), resource === 'namespaces'),
        validate: ({ resource }) => Promise.resolve(void calls.push(resource.resource)),
      },
    ]);
    for (const resource of [CONFIG_MAPS, NAMESPACES, CONFIG_MAPS, NAMESPACES])
      await admission.validate(request({ resource }));
    assert.deepEqual(asked, ['configmaps', 'namespaces']);
    assert.deepEqual(calls, ['namespaces', 'namespaces']);
  });

  it('is told how long each took, and whether it refused', async () => {
    let now = 0;
    const told: string[] = [];
    const plugin = (name: string, ms: number, refuses = false): AdmissionPlugin => ({
      name,
      operations: ['CREATE'],
      mutate() {
        now += ms;
        return refuses ? Promise.reject(new ApiError('Forbidden', 'no')) : Promise.resolve();
      },
    });
    const admission = createAdmission([plugin('a', 5), plugin('b', 20, true), plugin('c', 1)], {
      now: () => now,
      decided: (name, phase, { rejected, seconds }) =>
        told.push(`${name} ${phase} ${rejected ? 'refused' : 'allowed'} ${seconds}`),
      ended: (phase, { operation, rejected, seconds }) =>
        told.push(`${phase} ${operation} ${rejected ? 'refused' : 'allowed'} ${seconds}`),
    });
    await assert.rejects(admission.mutate(request()));
    assert.deepEqual(told, [
      'a mutate allowed 0.005',
      'b mutate refused 0.02',
      'mutate CREATE refused 0.025',
    ]);
    told.length = 0;
    await admission.validate(request());
    assert.deepEqual(told, ['validate CREATE allowed 0']);
  });
});

describe('NamespaceLifecycle', () => {
  const ACTIVE: NamespaceState = { terminating: false };
  const TERMINATING: NamespaceState = { terminating: true };

  /** What is asked of the plugin, with what it sees in the cache and live. */
  async function ask(
    fields: Partial<AdmissionRequest>,
    cached: NamespaceState | undefined,
    live = cached,
  ): Promise<string> {
    const looks: string[] = [];
    const plugin = namespaceLifecycle({
      getNamespace(_, freshness) {
        looks.push(freshness);
        return Promise.resolve(freshness === 'live' ? live : cached);
      },
      immortal: new Set(['default']),
    });
    try {
      await plugin.mutate?.(request(fields));
      return `allowed ${looks.join(',')}`.trim();
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return `${error.code} ${looks.join(',')}`.trim();
    }
  }

  const cases: [
    title: string,
    fields: Partial<AdmissionRequest>,
    cached: NamespaceState | undefined,
    live: NamespaceState | undefined,
    expected: string,
  ][] = [
    ['a creation in an active namespace', {}, ACTIVE, ACTIVE, 'allowed cached'],
    [
      'a creation in a namespace that the cache does not know yet',
      {},
      undefined,
      ACTIVE,
      'allowed cached,live',
    ],
    ['a creation in a missing namespace', {}, undefined, undefined, '404 cached,live'],
    ['a creation in a namespace that ends', {}, TERMINATING, TERMINATING, '403 cached,live'],
    ['a creation in one that was made anew', {}, TERMINATING, ACTIVE, 'allowed cached,live'],
    [
      'an update in a namespace that ends',
      { operation: 'UPDATE' },
      TERMINATING,
      TERMINATING,
      'allowed cached',
    ],
    ['an update in a missing namespace', { operation: 'UPDATE' }, undefined, undefined, '404 cached,live'],
    ['a deletion anywhere', { operation: 'DELETE' }, undefined, undefined, 'allowed'],
    ['an object without a namespace', { namespace: '' }, undefined, undefined, 'allowed'],
    [
      'a review in a missing namespace',
      { resource: row('localsubjectaccessreviews') },
      undefined,
      undefined,
      'allowed',
    ],
    [
      'the deletion of a namespace',
      { operation: 'DELETE', resource: NAMESPACES, name: 'n' },
      undefined,
      undefined,
      'allowed',
    ],
    [
      'the deletion of a namespace of the system',
      { operation: 'DELETE', resource: NAMESPACES, name: 'default' },
      undefined,
      undefined,
      '403',
    ],
  ];
  for (const [title, fields, cached, live, expected] of cases) {
    it(`decides about ${title}: ${expected}`, async () =>
      assert.equal(await ask(fields, cached, live), expected));
  }

  it('names what is known of an object that has no name yet', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } };
    const plugin = namespaceLifecycle({
      getNamespace: () => Promise.resolve(TERMINATING),
      immortal: new Set(),
    });
    await assert.rejects(
      async () => plugin.mutate?.(request({ name: '', object })),
      (error: ApiError) => {
        assert.equal(error.details?.name, 'a-');
        return true;
      },
    );
  });
});
