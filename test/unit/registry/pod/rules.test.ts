import assert from 'node:assert/strict';
import { openRules } from '../../../../src/app/rules.ts';
import type { Json, JsonObject } from '../../../../src/meta/object.ts';
import { createHooks } from '../../../../src/registry/hooks-table.ts';
import { decodeObject } from '../../../../src/schema/codec/decode.ts';
import { validateObjectMeta } from '../../../../src/schema/metadata/validate-object-meta.ts';
import { defaultPods } from '../../../support/pod-settings.ts';
import { openSchemas, PROFILES } from '../../../support/schemas.ts';
import { oddPods } from './odd-pods.ts';

const NOW = Date.parse('2026-11-20T18:57:21Z');
const USER = { name: 'admin', uid: 'admin-uid', groups: [], extra: {} };

for (const profile of PROFILES) {
  const { registry, names } = openSchemas(profile);
  const settings = defaultPods(profile);
  const rules = openRules(names, settings);
  const hooksOf = createHooks(names, { pods: settings });

  /** The status and causes of a create. */
  const answerTo = (kind: string, sent: JsonObject, warned: string[]): Json[] => {
    const resource = registry.resourceForKind('', 'v1', kind);
    assert(resource !== undefined);
    const whole = named(profile, { apiVersion: 'v1', kind, ...sent });
    const { object } = decodeObject(resource.type, whole);
    const hooks = hooksOf(resource);
    hooks.defaults?.(object);
    object.metadata.namespace = 'default';
    hooks.prepareForCreate?.(object, { now: NOW, user: USER, warn: (text) => warned.push(text) });
    const errors = [
      ...validateObjectMeta(object.metadata, {
        namespaced: true,
        nameRule: resource.nameRule,
        standardFinalizers: new Set(),
      }),
      ...rules.check(resource.type, object),
      ...(hooks.validate?.(object) ?? []),
    ];
    const causes = errors.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`);
    if (errors.length > 0) return [422, ...new Set(causes.sort())];
    warned.push(...(hooks.warnings?.(object, undefined) ?? []));
    return [201];
  };

  describe(`odd pods in ${profile} names are answered as by the reference`, () => {
    for (const { title, pod, answers, warnings } of oddPods()) {
      // What other parts refuse before the rules are asked.
      if (answers.pod[0] === 201 || answers.pod[0] === 422) {
        it(title, () => {
          const warned: string[] = [];
          assert.deepEqual(answerTo('Pod', pod, warned), named(profile, answers.pod));
          assert.equal(warned.length, warnings[0], warned.join());
        });
      }
      it(`template: ${title}`, () => {
        const warned: string[] = [];
        const template = { metadata: { name: 't' }, template: pod };
        assert.deepEqual(answerTo('PodTemplate', template, warned), named(profile, answers.template));
        assert.equal(warned.length, warnings[1], warned.join());
      });
    }
  });
}

/** The same in the names of a profile. */
function named<T extends Json | readonly Json[]>(profile: string, value: T): T {
  if (profile === 'kubernetes') return value;
  const text = JSON.stringify(value).replaceAll('kubernetes.io', 'orch.io').replaceAll('k8s.io', 'orch.io');
  return JSON.parse(text) as T;
}
