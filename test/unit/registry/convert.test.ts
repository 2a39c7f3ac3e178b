import assert from 'node:assert/strict';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { decodeObject } from '../../../src/schema/codec/decode.ts';
import { convert, registry } from './samples.ts';

function row(group: string, version: string, resource: string) {
  const found = registry.resource(group, version, resource);
  assert.ok(found, `${group}/${version} ${resource}`);
  return found;
}

function make(group: string, version: string, resource: string, fields: JsonObject): ApiObject {
  const { type, kind } = row(group, version, resource);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return decodeObject(type, { kind, apiVersion, metadata: { name: 'x' }, ...fields }).object;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('conversion', () => {
  const AUTOSCALERS = 'horizontalpodautoscalers';
  const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
  const metrics = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
    { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    {
      type: 'Pods',
      pods: { metric: { name: 'qps' }, target: { type: 'AverageValue', averageValue: '100' } },
    },
    {
      type: 'Object',
      object: {
        describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
        metric: { name: 'hits' },
        target: { type: 'Value', value: '10k' },
      },
    },
    {
      type: 'External',
      external: {
        metric: { name: 'q', selector: { matchLabels: { x: 'y' } } },
        target: { type: 'AverageValue', averageValue: '30' },
      },
    },
    {
      type: 'ContainerResource',
      containerResource: {
        name: 'cpu',
        container: 'c',
        target: { type: 'Utilization', averageUtilization: 60 },
      },
    },
  ];

  it('takes autoscalers to v1 and back without losing anything', () => {
    const spec = {
      scaleTargetRef: target,
      minReplicas: 1,
      maxReplicas: 5,
      metrics,
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 60,
          policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }],
        },
      },
    };
    const original = make('autoscaling', 'v2', AUTOSCALERS, { spec });
    const sent = plain(original) as ApiObject;
    const old = convert(original, row('autoscaling', 'v1', AUTOSCALERS));
    assert.equal(old.apiVersion, 'autoscaling/v1');
    assert.equal((old.spec as JsonObject).targetCPUUtilizationPercentage, 50);
    assert.deepEqual(Object.keys(old.metadata.annotations ?? {}).sort(), [
      'autoscaling.alpha.kubernetes.io/behavior',
      'autoscaling.alpha.kubernetes.io/metrics',
    ]);
    assert.equal(
      old.metadata.annotations?.['autoscaling.alpha.kubernetes.io/behavior'],
      '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":60,"SelectPolicy":null,' +
        '"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":60}]}}',
    );
    const back = plain(convert(old, row('autoscaling', 'v2', AUTOSCALERS))) as ApiObject;
    // The percentage that v1 has a field for comes last.
    const order = (object: ApiObject): unknown[] =>
      ((object.spec as JsonObject).metrics as unknown[]).map((m) => JSON.stringify(m)).sort();
    assert.deepEqual(order(back), order(sent));
    const rest = (object: ApiObject): unknown => ({
      ...object,
      spec: { ...(object.spec as JsonObject), metrics: [] },
    });
    assert.deepEqual(rest(back), rest(sent));
  });

  it('reads what annotations say that are no JSON as nothing', () => {
    const old = make('autoscaling', 'v1', AUTOSCALERS, {
      metadata: { name: 'x', annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '{', other: 'kept' } },
      spec: { scaleTargetRef: target, maxReplicas: 2 },
    });
    const { spec, metadata } = convert(old, row('autoscaling', 'v2', AUTOSCALERS));
    assert.deepEqual(plain((spec as JsonObject).metrics), [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
      },
    ]);
    assert.deepEqual(plain(metadata.annotations), { other: 'kept' });
  });

  for (const [annotation, text] of [
    ['behavior', '{"ScaleUp":{"StabilizationWindowSeconds":99999999999999999999}}'],
    ['metrics', '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"much"}}]'],
    ['current-metrics', '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":"x"}}]'],
    ['conditions', '[{"type":"AbleToScale","status":true}]'],
    ['conditions', '[[]]'],
  ] as const) {
    it(`reads what the annotation of ${annotation} says that fits no autoscaler as nothing: ${text}`, () => {
      const make1 = (annotations: Record<string, string>): ApiObject =>
        make('autoscaling', 'v1', AUTOSCALERS, {
          metadata: { name: 'x', annotations },
          spec: { scaleTargetRef: target, maxReplicas: 2 },
        });
      const v2 = row('autoscaling', 'v2', AUTOSCALERS);
      const got = convert(make1({ [`autoscaling.alpha.kubernetes.io/${annotation}`]: text }), v2);
      assert.deepEqual(plain(decodeObject(v2.type, got).object), plain(convert(make1({}), v2)));
    });
  }

  it('renames the fields of events', () => {
    const event = make('', 'v1', 'events', {
      involvedObject: { kind: 'Pod', name: 'p' },
      message: 'm',
      source: { component: 'c' },
      count: 3,
      reportingComponent: 'r',
    });
    const sent = plain(event);
    const other = convert(event, row('events.k8s.io', 'v1', 'events'));
    assert.equal(other.note, 'm');
    assert.equal(other.deprecatedCount, 3);
    assert.equal(other.reportingController, 'r');
    assert.deepEqual(plain(other.regarding), { kind: 'Pod', name: 'p' });
    assert.deepEqual(plain(convert(other, row('', 'v1', 'events'))), sent);
  });

  it('wraps capacities of devices', () => {
    const device = (capacity: unknown): JsonObject => ({
      spec: {
        driver: 'd',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'x', basic: { capacity } }],
      } as JsonObject,
    });
    const old = make('resource.k8s.io', 'v1alpha3', 'resourceslices', device({ memory: '1Gi' }));
    const sent = plain(old);
    const current = convert(old, row('resource.k8s.io', 'v1beta1', 'resourceslices'));
    const expected = make(
      'resource.k8s.io',
      'v1beta1',
      'resourceslices',
      device({ memory: { value: '1Gi' } }),
    );
    assert.deepEqual(plain(current), plain(expected));
    assert.deepEqual(plain(convert(current, row('resource.k8s.io', 'v1alpha3', 'resourceslices'))), sent);
  });
});
