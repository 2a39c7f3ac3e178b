import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { resolveGates, type GateTable } from '../../../../src/app/options/feature-gates.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const schema = parse(readFileSync(join(root, 'schemas', 'feature-gates.yaml'), 'utf8')) as GateTable;

const table: GateTable = {
  gates: {
    Young: { history: [{ release: '1.32', stage: 'alpha', on: false }] },
    Grown: {
      history: [
        { release: '1.9', stage: 'alpha', on: false },
        { release: '1.30', stage: 'beta', on: true },
        { release: '1.33', stage: 'ga', on: true, locked: true },
      ],
    },
    Sleeping: { history: [{ release: '1.31', stage: 'beta', on: false }] },
    Locked: { history: [{ release: '1.29', stage: 'ga', on: true, locked: true }] },
    Old: { history: [{ release: '1.20', stage: 'deprecated', on: false }] },
    Settled: { ours: true, settable: false, history: [{ release: '1.20', stage: 'ga', on: true }] },
    Missing: { unsupported: 'it is missing', history: [{ release: '1.32', stage: 'alpha', on: false }] },
    Always: { history: [{ stage: 'beta', on: true }] },
    Future: { history: [{ release: '1.33', stage: 'alpha', on: false }] },
  },
};

const resolve = (settings: Record<string, string> = {}, release = '1.32'): ReturnType<typeof resolveGates> =>
  resolveGates(table, new Map(Object.entries(settings)), release);

describe('feature gates', () => {
  it('refuse one that is not supported, and leave it off with all of its stage', () => {
    assert.deepEqual(resolve({ Missing: 'true' }).problems, [
      "--feature-gates: Missing can't be true: it is missing",
    ]);
    assert.deepEqual(resolve({ Missing: 'false' }).problems, []);
    assert.equal(resolve({ AllAlpha: 'true' }).gates.enabled('Missing'), false);
  });

  for (const [name, settings, on] of [
    ['defaults of the release', {}, ['Grown', 'Locked', 'Settled', 'Always']],
    ['a gate that is turned on', { Young: 'true' }, ['Young', 'Grown', 'Locked', 'Settled', 'Always']],
    ['a gate of the component', { 'kube:Grown': 'false' }, ['Locked', 'Settled', 'Always']],
    ['all alpha gates', { AllAlpha: 'true' }, ['Young', 'Grown', 'Locked', 'Settled', 'Always', 'AllAlpha']],
    [
      'all but one alpha gate',
      { AllAlpha: 'true', Young: 'false' },
      ['Grown', 'Locked', 'Settled', 'Always', 'AllAlpha'],
    ],
    ['no beta gate', { AllBeta: 'false' }, ['Locked', 'Settled']],
    ['no beta gate but one', { AllBeta: 'false', Grown: '1' }, ['Grown', 'Locked', 'Settled']],
    ['a gate without effect', { Settled: 'false' }, ['Grown', 'Locked', 'Settled', 'Always']],
  ] as readonly (readonly [string, Record<string, string>, string[]])[]) {
    it(`are on: ${name}`, () => {
      const { gates, problems } = resolve(settings);
      assert.deepEqual(problems, []);
      const enabled = gates.all().filter((gate) => gate.enabled);
      assert.deepEqual(
        enabled.map((gate) => gate.name),
        on.toSorted(),
      );
    });
  }

  it('are refused when unknown, of a later release, locked or no boolean, all at once', () => {
    const { problems } = resolve({
      Nope: 'true',
      Future: 'true',
      Locked: 'false',
      Young: 'maybe',
      'x:Young': 'true',
    });
    assert.deepEqual(problems, [
      '--feature-gates: unknown feature gate Nope',
      '--feature-gates: unknown feature gate Future',
      "--feature-gates: Locked can't be false, it is locked to true",
      '--feature-gates: Young=maybe is neither true nor false',
      '--feature-gates: unknown feature gate x:Young',
    ]);
  });

  it('warn when deprecated, generally available or without effect', () => {
    const { warnings } = resolve({ Old: 'true', Locked: 'true', Settled: 'true', Grown: 'true' });
    assert.deepEqual(warnings, [
      '--feature-gates: Old is deprecated and will be removed',
      '--feature-gates: Locked is generally available and will be removed',
      '--feature-gates: Settled is generally available and will be removed',
      '--feature-gates: Settled has no effect',
    ]);
  });

  it('throw for a name that no row has', () => {
    assert.throws(() => resolve().gates.enabled('Nope'), /no feature gate is called Nope/);
  });
});

describe('the table of feature gates', () => {
  const facts = JSON.parse(
    readFileSync(join(root, 'test', 'fixtures', 'facts', 'feature-gates.json'), 'utf8'),
  ) as Record<string, { stage: string; enabled: boolean }>;

  it('has every gate of the facts in its stage and as they found it', () => {
    const { gates } = resolveGates(schema, new Map(), '1.32');
    const found = new Map(
      gates.all().map(({ name, stage, enabled }) => [name, { stage: stage.toUpperCase(), enabled }]),
    );
    for (const [name, { stage, enabled }] of Object.entries(facts)) {
      assert.deepEqual(found.get(name), { stage, enabled }, name);
    }
  });

  it('lets a single pool of service addresses be chosen', () => {
    const settings = new Map([['ServiceIPStaticSubrange', 'false']]);
    const { gates, problems } = resolveGates(schema, settings, '1.32');
    assert.deepEqual(problems, []);
    assert.equal(gates.enabled('ServiceIPStaticSubrange'), false);
  });

  for (const name of [
    'ServerSideApply',
    'ServerSideFieldValidation',
    'DryRun',
    'ProxyTerminatingEndpoints',
    'APISelfSubjectAttributesReview',
  ]) {
    it(`keeps ${name} on, and says so`, () => {
      const { gates, warnings } = resolveGates(schema, new Map([[name, 'false']]), '1.32');
      assert.equal(gates.enabled(name), true);
      assert.equal(warnings.length, 2);
    });
  }
});
