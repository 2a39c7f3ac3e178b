/**
 * What it takes to check a pod that says all that pods can say, step by step, in processor time:
 *
 *     node bench/validation.ts [rounds=500]
 *
 * The best of forty turns of so many rounds, the steps by turns, so that what else the machine does for some seconds, and
 * only adds, meets all of them.
 */
import { FULL_POD } from './validation/full-pod.ts';
import { openRules } from '../src/app/rules.ts';
import type { ApiObject } from '../src/meta/object.ts';
import { loadNames } from '../src/names/load.ts';
import { createHooks } from '../src/registry/hooks-table.ts';
import { decodeObject } from '../src/schema/codec/decode.ts';
import { encodeObject } from '../src/schema/codec/encode.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { validateObjectMeta } from '../src/schema/metadata/validate-object-meta.ts';
import { parseJson } from '../src/schema/parse/json.ts';
import { defaultPods } from '../test/support/pod-settings.ts';

const [rounds = 500] = process.argv.slice(2).map((text) => Number(text.split('=')[1]));
const TURNS = 40;

const names = loadNames({ profile: 'orch' });
const settings = defaultPods('orch');
const book = openRules(names, settings);
const resource = loadSchemas({ profile: 'orch' }).resource('', 'v1', 'pods');
if (resource === undefined) throw new Error('the schemas have no pods');
const { type } = resource;
const hooks = createHooks(names, { pods: settings })(resource);

const NOW = Date.parse('2026-01-01T00:00:00Z');
const context = { now: NOW, user: { name: 'user', uid: '', groups: [], extra: {} } };
const metadataRules = {
  namespaced: true,
  nameRule: resource.nameRule,
  standardFinalizers: new Set<string>(),
};

const sent = Buffer.from(JSON.stringify(FULL_POD));
const decoded = (): ApiObject => decodeObject(type, parseJson(sent).value).object;
const defaulted = (): ApiObject => {
  const object = decoded();
  hooks.defaults?.(object);
  return object;
};
const prepared = (): ApiObject => {
  const object = defaulted();
  hooks.prepareForCreate?.(object, context);
  return object;
};
const check = (object: ApiObject): unknown[] => [
  ...validateObjectMeta(object.metadata, metadataRules),
  ...book.check(type, object),
  ...(hooks.validate?.(object) ?? []),
];

/** A step, as one turn of it: microseconds of processor time for a round. */
interface Step {
  readonly title: string;
  readonly turn: () => number;
}

/** @param make makes what each round is given, outside of what is measured. */
function step<T>(title: string, make: () => T, run: (given: T) => unknown): Step {
  const turn = (): number => {
    const given = Array.from({ length: rounds }, make);
    const before = process.cpuUsage();
    for (const one of given) run(one);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / rounds;
  };
  return { title, turn };
}

const problems = check(prepared());
if (problems.length > 0) throw new Error(`the pod is wrong: ${JSON.stringify(problems, undefined, 2)}`);
console.log(`a pod of ${sent.length} bytes`);
const none = (): undefined => undefined;
const pod = prepared();
const steps: readonly Step[] = [
  step('JSON.parse, for comparison', none, () => JSON.parse(sent.toString()) as unknown),
  step('parse', none, () => parseJson(sent)),
  step(
    'decode and schema defaults',
    () => parseJson(sent),
    ({ value }) => decodeObject(type, value),
  ),
  step("the kind's defaults", decoded, (object) => hooks.defaults?.(object)),
  step('prepare', defaulted, (object) => hooks.prepareForCreate?.(object, context)),
  step('validate', none, () => check(pod)),
  step('  its metadata', none, () => validateObjectMeta(pod.metadata, metadataRules)),
  step('  the rest', none, () => book.check(type, pod)),
  step('encode', none, () => encodeObject(type, pod)),
];
const best = steps.map(() => Infinity);
for (let turn = 0; turn < TURNS; turn++)
  for (const [i, one] of steps.entries()) best[i] = Math.min(best[i] ?? Infinity, one.turn());
for (const [i, { title }] of steps.entries())
  console.log(`${title.padEnd(40)} ${best[i]?.toFixed(1).padStart(8)} µs`);
