import assert from 'node:assert/strict';
import { Cluster } from '../verbs/cluster.ts';

const CLASSES = '/apis/resource.k8s.io/v1beta1/deviceclasses';
const CLAIMS = '/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims';

describe('expressions that select devices', () => {
  let cluster: Cluster;
  before(async () => (cluster = await Cluster.open()));
  after(() => cluster.close());

  const CASES: readonly (readonly [expression: string, isGood: boolean])[] = [
    ['device.driver == "gpu.example.com"', true],
    ['device.attributes["gpu.example.com"].model == "a"', true],
    ['device.attributes["gpu.example.com"].ready', true],
    ['device.capacity["gpu.example.com"].memory.compareTo(quantity("1Gi")) >= 0', true],
    ['cel.bind(gpu, device.attributes["gpu.example.com"], gpu.a && gpu.b)', true],
    ['semver("1.2.3").isLessThan(device.attributes["x"].version)', true],
    ['device.name == "a"', false],
    ['object.x == 1', false],
    ['"a"', false],
    ['device.', false],
  ];
  for (const [expression, isGood] of CASES) {
    it(`are ${isGood ? 'accepted' : 'refused'} when they are written: ${expression}`, async () => {
      const selectors = [{ cel: { expression } }];
      const sent: [path: string, spec: object, field: string][] = [
        [CLASSES, { selectors }, 'spec.selectors[0].cel.expression'],
        [
          CLAIMS,
          { devices: { requests: [{ name: 'a', deviceClassName: 'c', selectors }] } },
          'spec.devices.requests[0].selectors[0].cel.expression',
        ],
      ];
      for (const [path, spec, field] of sent) {
        const { status, object } = await cluster.ask(`POST ${path}?dryRun=All`, {
          body: { metadata: { name: 'x' }, spec },
        });
        const { causes } = (object['details'] ?? {}) as { causes?: { field: string }[] };
        assert.deepEqual(
          [status, causes?.map((cause) => cause.field)],
          isGood ? [201, undefined] : [422, [field]],
        );
      }
    });
  }
});
