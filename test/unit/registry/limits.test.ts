import assert from 'node:assert/strict';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { limitRangeHooks } from '../../../src/registry/limitrange/hooks.ts';
import { resourceNames } from '../../../src/registry/resource-names.ts';
import { resourceQuotaHooks } from '../../../src/registry/resourcequota/hooks.ts';

const NAMES = resourceNames('orch.io/');

function made(spec: JsonObject, status: JsonObject = {}): ApiObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec, status };
}

describe('the rules of LimitRanges', () => {
  const hooks = limitRangeHooks(NAMES);
  const cases: [title: string, limits: JsonObject[], expected: string[]][] = [
    ['nothing', [], []],
    [
      'bounds of everything',
      [
        { type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2' } },
        { type: 'Pod', max: { 'example.com/gpu': '1', 'hugepages-2Mi': '2Mi' } },
        { type: 'PersistentVolumeClaim', min: { storage: '1' } },
        { type: 'example.com/thing', max: { pods: '1' } },
      ],
      [],
    ],
    ['a type twice', [{ type: 'Pod' }, { type: 'Pod' }], ['FieldValueDuplicate spec.limits[1].type']],
    ['an unknown type', [{ type: 'Thing' }], ['FieldValueInvalid spec.limits[0].type']],
    [
      'what containers do not use',
      [{ type: 'Container', max: { pods: '1', nope: '1' } }],
      [
        'FieldValueInvalid spec.limits[0].max[pods]',
        'FieldValueInvalid spec.limits[0].max[nope]',
        'FieldValueInvalid spec.limits[0].max[nope]',
      ],
    ],
    [
      'a name of the system that quotas could not prefix',
      [{ type: 'Pod', max: { 'requests.example.com/gpu': '1' } }],
      ['FieldValueInvalid spec.limits[0].max[requests.example.com/gpu]'],
    ],
    [
      'defaults of pods',
      [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }],
      ['FieldValueForbidden spec.limits[0].default', 'FieldValueForbidden spec.limits[0].defaultRequest'],
    ],
    [
      'claims without a bound of storage',
      [{ type: 'PersistentVolumeClaim', max: { cpu: '1' } }],
      ['FieldValueRequired spec.limits[0].limits'],
    ],
    [
      'bounds the wrong way round',
      [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }],
      ['FieldValueInvalid spec.limits[0].min[cpu]'],
    ],
    [
      'defaults out of bounds',
      [
        {
          type: 'Container',
          min: { cpu: '2' },
          max: { cpu: '3' },
          default: { cpu: '1' },
          defaultRequest: { cpu: '4' },
        },
      ],
      [
        'FieldValueInvalid spec.limits[0].defaultRequest[cpu]',
        'FieldValueInvalid spec.limits[0].defaultRequest[cpu]',
        'FieldValueInvalid spec.limits[0].default[cpu]',
      ],
    ],
    [
      'a ratio below 1, and one that the bounds never reach',
      [
        { type: 'Container', maxLimitRequestRatio: { cpu: '500m' } },
        { type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2001m' } },
      ],
      [
        'FieldValueInvalid spec.limits[0].maxLimitRequestRatio[cpu]',
        'FieldValueInvalid spec.limits[1].maxLimitRequestRatio[cpu]',
      ],
    ],
    [
      'devices by default that were not asked for',
      [
        {
          type: 'Container',
          default: { 'example.com/gpu': '2' },
          defaultRequest: { 'example.com/gpu': '1' },
        },
      ],
      ['FieldValueInvalid spec.limits[0].defaultRequest[example.com/gpu]'],
    ],
  ];
  for (const [title, limits, expected] of cases) {
    it(`are asked of ${title}`, () => {
      const errors = hooks.validate?.(made({ limits })) ?? [];
      assert.deepEqual(
        errors.map(({ reason, field }) => `${reason} ${field}`),
        expected,
      );
    });
  }
});

describe('the rules of ResourceQuotas', () => {
  const hooks = resourceQuotaHooks(NAMES);
  const show = (errors: readonly { reason: string; field: string }[] | undefined): string[] =>
    (errors ?? []).map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`);
  const selector = (...matchExpressions: JsonObject[]): JsonObject => ({
    hard: { pods: '1' },
    scopeSelector: { matchExpressions },
  });
  const AT = 'spec.scopeSelector.matchExpressions';

  const cases: [title: string, spec: JsonObject, expected: string[]][] = [
    ['nothing', {}, []],
    [
      'amounts of everything',
      {
        hard: {
          cpu: '100m',
          'requests.cpu': '1500m',
          pods: '3',
          'count/deployments.apps': '1500',
          'requests.example.com/gpu': '2',
          'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
          'hugepages-2Mi': '2Mi',
        },
      },
      [],
    ],
    [
      'a resource without a domain that nobody knows',
      { hard: { nope: '1' } },
      ['Invalid spec.hard[nope]', 'Invalid spec.hard[nope]'],
    ],
    ['less than nothing', { hard: { pods: '-1' } }, ['Invalid spec.hard[pods]']],
    ['half a pod', { hard: { pods: '500m' } }, ['Invalid spec.hard[pods]']],
    ['half a device', { hard: { 'example.com/gpu': '500m' } }, ['Invalid spec.hard[example.com/gpu]']],
    ['an unknown scope', { scopes: ['Some'] }, ['Invalid spec.scopes']],
    [
      'services in a scope of pods',
      { hard: { services: '1' }, scopes: ['Terminating'] },
      ['Invalid spec.scopes'],
    ],
    [
      'CPU of pods that ask for none',
      { hard: { cpu: '1' }, scopes: ['BestEffort'] },
      ['Invalid spec.scopes'],
    ],
    ['contradicting scopes', { scopes: ['Terminating', 'NotTerminating'] }, ['Invalid spec.scopes']],
    ['a class of priority', selector({ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }), []],
    [
      'no class of priority',
      selector({ scopeName: 'PriorityClass', operator: 'NotIn' }),
      [`Required ${AT}.values`],
    ],
    [
      'values where none count',
      selector({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }),
      [`Invalid ${AT}.values`],
    ],
    [
      'a scope that exists or not',
      selector({ scopeName: 'BestEffort', operator: 'DoesNotExist' }),
      [`Invalid ${AT}.operator`],
    ],
    [
      'an operator and a scope that nobody knows',
      selector({ scopeName: 'Some', operator: 'Like' }),
      [`Invalid ${AT}.scopeName`, `Invalid ${AT}.operator`],
    ],
    [
      'contradicting selectors',
      selector(
        { scopeName: 'BestEffort', operator: 'Exists' },
        { scopeName: 'NotBestEffort', operator: 'Exists' },
      ),
      [`Invalid ${AT}`],
    ],
  ];
  for (const [title, spec, expected] of cases) {
    it(`are asked of ${title}`, () => assert.deepEqual(show(hooks.validate?.(made(spec))), expected));
  }

  it('let scopes stay as they are, in any order', () => {
    const old = made({ scopes: ['BestEffort', 'Terminating'] });
    assert.deepEqual(show(hooks.validateUpdate?.(made({ scopes: ['Terminating', 'BestEffort'] }), old)), []);
    assert.deepEqual(show(hooks.validateUpdate?.(made({ scopes: ['BestEffort'] }), old)), [
      'Invalid spec.scopes',
    ]);
  });

  it('hold for the status too', () => {
    const quota = made({}, { hard: { nope: '1' }, used: { pods: '-1' } });
    assert.deepEqual(show(hooks.status?.validateUpdate?.(quota, quota)), [
      'Invalid status.hard[nope]',
      'Invalid status.hard[nope]',
      'Invalid status.used[pods]',
    ]);
  });
});
