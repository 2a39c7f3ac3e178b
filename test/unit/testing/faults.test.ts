import assert from 'node:assert/strict';
import { Faults } from '../../../src/testing/faults/faults.ts';
import { matcher, type FaultRequest } from '../../../src/testing/faults/match.ts';
import type { Fault } from '../../../src/testing/faults/fault.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('a fault', () => {
  const faults = new Faults(new ManualClock());
  const useless: [string, Fault, RegExp][] = [
    ['that does nothing', { times: 3 }, /one of latencyMs, error and cut/],
    ['that never happens', { cut: true, times: 0 }, /times .* 0/],
    ['with a time before now', { latencyMs: -1 }, /latencyMs .* -1/],
    [
      'with a time that is none',
      { error: 'TooManyRequests', retryAfterSeconds: NaN },
      /retryAfterSeconds .* NaN/,
    ],
  ];
  for (const [what, fault, message] of useless) {
    it(`${what} is refused`, () => {
      assert.throws(() => faults.inject(fault), { name: 'TypeError', message });
    });
  }
});

describe('which requests meet a fault', () => {
  const request: FaultRequest = {
    verb: 'update',
    group: 'apps',
    resource: 'deployments',
    subresource: 'scale',
    namespace: 'default',
    name: 'a',
    user: 'alice',
    userAgent: 'test',
  };

  it('all, where nothing is said', () => {
    assert.ok(matcher()(request));
    assert.ok(matcher({})(request));
  });

  it('those that agree in everything that is said', () => {
    assert.ok(matcher(request)(request));
    for (const key of Object.keys(request) as (keyof FaultRequest)[]) {
      assert.ok(matcher({ [key]: request[key] })(request), key);
      assert.ok(!matcher({ ...request, [key]: 'other' })(request), key);
    }
  });

  it('those of which a function says so', () => {
    assert.ok(matcher(({ name }) => name.startsWith('a'))(request));
    assert.ok(!matcher(({ name }) => name.startsWith('b'))(request));
  });
});
