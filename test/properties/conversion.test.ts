import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ApiObject, JsonObject } from '../../src/meta/object.ts';
import { createConverter } from '../../src/registry/convert/converter.ts';
import { decodeObject } from '../../src/schema/codec/decode.ts';
import { encodeObject } from '../../src/schema/codec/encode.ts';
import type { ResourceDefinition } from '../../src/schema/model.ts';
import { parseJson } from '../../src/schema/parse/json.ts';
import { arbitraryObject } from '../support/arbitrary-objects.ts';
import { lawRuns } from '../support/laws.ts';
import { openSchemas, PROFILES } from '../support/schemas.ts';

/** Rows of the versions in which a kind is served, by where it is stored; kinds with one version left out. */
function versionsOf(profile: (typeof PROFILES)[number]): ResourceDefinition[][] {
  const { registry } = openSchemas(profile, 'all');
  const byPrefix = new Map<string, ResourceDefinition[]>();
  for (const { name, versions } of registry.groups()) {
    for (const row of versions.flatMap((version) => registry.resourcesOf(name, version))) {
      const prefix = row.storage?.prefix;
      if (prefix !== undefined) byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), row]);
    }
  }
  return [...byPrefix.values()].filter((rows) => rows.length > 1);
}

function makeOf({ type, kind, group, version }: ResourceDefinition, fields: JsonObject): ApiObject {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const { object } = decodeObject(type, { ...fields, kind, apiVersion }, { defaults: false });
  return parseJson(Buffer.from(encodeObject(type, object))).value as ApiObject;
}

const quantity = fc.integer({ min: 1, max: 9999 }).map(String);
const name = fc.string({ minLength: 1, maxLength: 8 });
const metric = fc.record(
  { name, selector: fc.constant<JsonObject>({ matchLabels: { a: 'b' } }) },
  { requiredKeys: ['name'] },
);
const describedObject = fc.record({ kind: name, name, apiVersion: name });
const percent = fc.integer({ min: 1, max: 200 });
const utilization = percent.map((averageUtilization) => ({ type: 'Utilization', averageUtilization }));
const average = quantity.map((averageValue) => ({ type: 'AverageValue', averageValue }));
const value = quantity.map((value) => ({ type: 'Value', value }));

/** Metrics that an autoscaler may demand. The utilization of CPU, for which autoscaling/v1 has a field, at most once. */
const demanded = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom('memory', 'x'), fc.oneof(utilization, average))
          .map(([name, target]) => ({ type: 'Resource', resource: { name, target } })),
        average.map((target) => ({ type: 'Resource', resource: { name: 'cpu', target } })),
        fc.tuple(name, fc.oneof(utilization, average)).map(([container, target]) => ({
          type: 'ContainerResource',
          containerResource: { name: 'cpu', container, target },
        })),
        fc.tuple(metric, average).map(([metric, target]) => ({ type: 'Pods', pods: { metric, target } })),
        fc
          .tuple(describedObject, metric, fc.oneof(average, value))
          .map(([describedObject, metric, target]) => ({
            type: 'Object',
            object: { describedObject, metric, target },
          })),
        fc
          .tuple(metric, fc.oneof(average, value))
          .map(([metric, target]) => ({ type: 'External', external: { metric, target } })),
      ),
      { maxLength: 4 },
    ),
    fc.option(percent),
  )
  .map(([others, cpu]) => {
    const target = { type: 'Utilization', averageUtilization: cpu ?? 80 };
    const own = { type: 'Resource', resource: { name: 'cpu', target } };
    return others.length === 0 || cpu !== null ? [...others, own] : others;
  });

/** Metrics as they are reported, with all that the flat form has a field for. */
const reported = fc.array(
  fc.oneof(
    fc.tuple(name, percent, quantity).map(([name, averageUtilization, averageValue]) => ({
      type: 'Resource',
      resource: { name, current: { averageUtilization, averageValue } },
    })),
    fc
      .tuple(metric, quantity)
      .map(([metric, averageValue]) => ({ type: 'Pods', pods: { metric, current: { averageValue } } })),
    fc.tuple(metric, quantity, quantity).map(([metric, value, averageValue]) => ({
      type: 'External',
      external: { metric, current: { value, averageValue } },
    })),
  ),
  { minLength: 1, maxLength: 3 },
);

/** A v2 autoscaler of any fields, but with metrics as validation lets them be. */
function arbitraryAutoscaler(row: ResourceDefinition): fc.Arbitrary<JsonObject> {
  return fc.tuple(arbitraryObject(row.type), demanded, reported).map(([object, metrics, currentMetrics]) => ({
    ...object,
    spec: { ...(object.spec as JsonObject | undefined), metrics },
    status: { ...(object.status as JsonObject | undefined), currentMetrics },
  }));
}

/** The flat form has a value for every metric of an object, zero where only an average is demanded. */
function withoutZeros(object: ApiObject): ApiObject {
  for (const { object: source } of (object.spec as { metrics: { object?: JsonObject }[] }).metrics) {
    const target = source?.target as JsonObject | undefined;
    if (target?.type === 'AverageValue') delete target.value;
  }
  return object;
}

for (const profile of PROFILES) {
  const { names } = openSchemas(profile);
  const convert = createConverter(names);

  describe(`every version of a kind tells the whole of its objects, naming=${profile}`, () => {
    for (const rows of versionsOf(profile)) {
      for (const from of rows) {
        for (const to of rows) {
          // autoscaling/v1 is what v2 can't be made of again: its own law is below.
          if (to === from || from.kind === 'HorizontalPodAutoscaler') continue;
          it(`${from.kind}: ${from.group}/${from.version} as ${to.group}/${to.version} and back`, function () {
            this.timeout(0);
            const check = (fields: JsonObject): void => {
              const original = makeOf(from, fields);
              const sent = encodeObject(from.type, original);
              const there = convert(structuredClone(original), to);
              assert.deepEqual([there.kind, there.apiVersion], [to.kind, makeOf(to, {}).apiVersion]);
              encodeObject(to.type, there);
              const back = convert(makeOf(to, there), from);
              assert.equal(encodeObject(from.type, back), sent);
            };
            fc.assert(fc.property(arbitraryObject(from.type), check), { numRuns: lawRuns() });
          });
        }
      }
    }

    it('HorizontalPodAutoscaler: autoscaling/v2 as autoscaling/v1 and back', function () {
      this.timeout(0);
      const rows = versionsOf(profile).flat();
      const row = (version: string): ResourceDefinition => {
        const found = rows.find((r) => r.kind === 'HorizontalPodAutoscaler' && r.version === version);
        assert.ok(found);
        return found;
      };
      const [v1, v2] = [row('v1'), row('v2')];
      fc.assert(
        fc.property(arbitraryAutoscaler(v2), (fields) => {
          const original = makeOf(v2, fields);
          const sent = encodeObject(v2.type, original);
          const there = convert(structuredClone(original), v1);
          const back = convert(makeOf(v1, there), v2);
          assert.equal(encodeObject(v2.type, withoutZeros(back)), sent);
        }),
        { numRuns: lawRuns() },
      );
    });
  });
}
