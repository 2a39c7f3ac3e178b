import assert from 'node:assert/strict';
import type { Json } from '../../../src/meta/object.ts';
import { PROFILES } from '../../support/schemas.ts';
import { openSamples } from './samples.ts';

/** What other parts of the server fill in: admission plugins and allocators. */
const FILLED_ELSEWHERE: Record<string, readonly RegExp[]> = {
  CustomResourceDefinition: [/^\/status/],
  Node: [/^\/spec$|^\/spec\/taints/],
  Pod: [
    /^\/spec\/(serviceAccount|serviceAccountName|tolerations|volumes|preemptionPolicy|priority)/,
    /volumeMounts/,
  ],
  Service: [/^\/spec\/(clusterIP|clusterIPs|ipFamilies|ipFamilyPolicy|healthCheckNodePort)/, /nodePort$/],
};

for (const profile of PROFILES) {
  describe(`defaults and preparation of kinds (${profile})`, () => {
    const { samples, completed } = openSamples(profile);
    for (const sample of samples()) {
      it(`fill in what the reference does: ${sample.title}`, () => {
        const { kind } = sample.resource;
        const made = completed(sample);
        const skip = FILLED_ELSEWHERE[kind] ?? [];
        for (const [pointer, expected] of Object.entries(sample.filledIn)) {
          if (pointer.startsWith('/metadata') || skip.some((pattern) => pattern.test(pointer))) continue;
          const value = plain(at(made, pointer));
          assert.deepEqual(value, masked(expected, value), pointer);
        }
      });
    }
  });
}

function at(object: Json, pointer: string): Json | undefined {
  let value: Json | undefined = object;
  for (const part of pointer.slice(1).split('/')) {
    if (typeof value !== 'object' || value === null) return undefined;
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? value[Number(key)] : value[key];
  }
  return value;
}

/** Generated values can't be the recorded ones. */
function masked(expected: Json | undefined, made: Json | undefined): Json | undefined {
  if (typeof expected === 'string') return GENERATED.test(expected) ? made : expected;
  if (typeof expected !== 'object' || expected === null) return expected;
  if (Array.isArray(expected))
    return expected.map((item, i) => masked(item, Array.isArray(made) ? made[i] : undefined) ?? null);
  const other = typeof made === 'object' && made !== null && !Array.isArray(made) ? made : {};
  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, masked(value, other[key])]));
}

const GENERATED = /^<.*>$|^[0-9a-f]{8}-|^\d{4}-\d\d-\d\dT/;

function plain(value: Json | undefined): Json | undefined {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
}
