import assert from 'node:assert/strict';
import {
  compareLevels,
  formatPolicy,
  LATEST,
  MODES,
  parseVersion,
  readPolicy,
  UNRESTRICTED,
  type Policy,
} from '../../../../src/admission/pod-security/policy.ts';

const LABELS = {
  enforce: { level: 'enforce', version: 'enforce-version' },
  audit: { level: 'audit', version: 'audit-version' },
  warn: { level: 'warn', version: 'warn-version' },
};

describe('policies of namespaces', () => {
  const show = (policy: Policy): string => MODES.map((mode) => formatPolicy(policy[mode])).join(' ');

  const cases: [labels: Record<string, string>, expected: string, bad: string[], defaults?: Policy][] = [
    [{}, 'privileged:latest privileged:latest privileged:latest', []],
    [{ other: 'x' }, 'privileged:latest privileged:latest privileged:latest', []],
    [{ enforce: 'baseline' }, 'baseline:latest privileged:latest baseline:latest', []],
    [
      { enforce: 'restricted', 'enforce-version': 'v1.20' },
      'restricted:v1.20 privileged:latest restricted:v1.20',
      [],
    ],
    [
      { enforce: 'restricted', 'enforce-version': 'v1.20', 'warn-version': 'v1.5' },
      'restricted:v1.20 privileged:latest restricted:v1.5',
      [],
    ],
    [
      { enforce: 'restricted', warn: 'privileged' },
      'restricted:latest privileged:latest privileged:latest',
      [],
    ],
    [{ audit: 'baseline', 'audit-version': 'v1.0' }, 'privileged:latest baseline:v1.0 privileged:latest', []],
    [{ enforce: 'none' }, 'restricted:latest privileged:latest privileged:latest', ['enforce']],
    [{ audit: 'none', warn: '' }, 'privileged:latest privileged:latest privileged:latest', ['audit', 'warn']],
    [
      { enforce: 'baseline', 'enforce-version': '1.20' },
      'baseline:latest privileged:latest baseline:latest',
      ['enforce-version'],
    ],
    [
      { enforce: 'baseline' },
      'baseline:v1.9 privileged:latest restricted:v1.8',
      [],
      {
        ...UNRESTRICTED,
        enforce: { level: 'privileged', version: 9 },
        warn: { level: 'restricted', version: 8 },
      },
    ],
  ];
  for (const [labels, expected, bad, defaults = UNRESTRICTED] of cases) {
    it(`are ${expected} by ${JSON.stringify(labels)}`, () => {
      const { policy, errors } = readPolicy(labels, LABELS, defaults);
      assert.equal(show(policy), expected);
      assert.deepEqual(
        errors.map(({ label }) => label),
        bad,
      );
    });
  }

  it('are of releases that can be named', () => {
    const versions = [
      'latest',
      'v1.0',
      'v1.32',
      'v1.00',
      'v1.',
      'v2.0',
      '1.1',
      'v1.1.1',
      'v1.9999999999',
      '',
    ];
    assert.deepEqual(versions.map(parseVersion), [
      LATEST,
      0,
      32,
      ...Array.from({ length: 7 }, () => undefined),
    ]);
  });

  it('are compared by how strict they are', () => {
    assert.ok(compareLevels('restricted', 'baseline') > 0);
    assert.ok(compareLevels('privileged', 'baseline') < 0);
    assert.equal(compareLevels('baseline', 'baseline'), 0);
  });
});
