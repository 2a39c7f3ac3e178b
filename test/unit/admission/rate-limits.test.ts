import assert from 'node:assert/strict';
import { Buckets } from '../../../src/admission/event-rate-limit/buckets.ts';
import type { EventLimit, LimitType } from '../../../src/admission/event-rate-limit/configuration.ts';
import { eventRateLimit } from '../../../src/admission/event-rate-limit/plugin.ts';
import {
  imagePolicyWebhook,
  type ImagePolicyDependencies,
} from '../../../src/admission/image-policy/plugin.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { admit, pod, podRequest } from './pod-requests.ts';
import { admissionRequest, object, user } from './requests.ts';

describe('token buckets', () => {
  it('are full at first, and fill again with time', () => {
    const clock = new ManualClock();
    const buckets = new Buckets({ qps: 2, burst: 3, limit: 10, clock });
    const take = (count: number): boolean[] => Array.from({ length: count }, () => buckets.take('a'));
    assert.deepEqual(take(4), [true, true, true, false]);
    clock.advance(499);
    assert.deepEqual(take(1), [false]);
    clock.advance(1);
    assert.deepEqual(take(2), [true, false]);
    clock.advance(60_000);
    assert.deepEqual(take(4), [true, true, true, false]);
    assert.equal(buckets.take('b'), true);
  });

  it('are forgotten when there are too many, the longest unused first', () => {
    const buckets = new Buckets({ qps: 1, burst: 1, limit: 2, clock: new ManualClock() });
    assert.deepEqual(
      ['a', 'b', 'a', 'c', 'a', 'b'].map((key) => buckets.take(key)),
      [true, true, false, true, false, true],
    );
  });
});

describe('EventRateLimit', () => {
  const event = (namespace: string, name: string, by: string, dryRun = false) =>
    admissionRequest('events', '', {
      object: object({ name, namespace }, { source: { component: 'x' }, involvedObject: { name } }),
      user: user(by),
      dryRun,
    });
  const limit = (type: LimitType, burst = 1): EventLimit => ({ type, qps: 1, burst, cacheSize: 10 });
  const requests = [
    event('n', 'a', 'u'),
    event('m', 'a', 'u'),
    event('n', 'b', 'u'),
    event('n', 'a', 'v'),
    event('n', 'a', 'u'),
  ];

  /** The requests that pass, by their numbers. */
  async function passing(...limits: EventLimit[]): Promise<number[]> {
    const plugin = eventRateLimit({ limits, group: 'events', clock: new ManualClock() });
    const passed: number[] = [];
    for (const [i, request] of requests.entries()) {
      const answer = await admit(plugin, request);
      if (answer instanceof ApiError) assert.equal(answer.code, 429);
      else passed.push(i);
    }
    return passed;
  }

  const cases: [title: string, limits: EventLimit[], expected: number[]][] = [
    ['all together', [limit('Server', 2)], [0, 1]],
    ['each namespace', [limit('Namespace')], [0, 1]],
    ['each user', [limit('User')], [0, 3]],
    ['each thing from each source', [limit('SourceAndObject')], [0, 2]],
    ['several limits', [limit('Namespace', 2), limit('User', 2)], [0, 1]],
  ];
  for (const [title, limits, expected] of cases) {
    it(`counts ${title}`, async () => assert.deepEqual(await passing(...limits), expected));
  }

  it('counts no dry runs', async () => {
    const plugin = eventRateLimit({ limits: [limit('Server')], group: '', clock: new ManualClock() });
    for (let i = 0; i < 3; i++)
      assert.ok(!((await admit(plugin, event('n', 'a', 'u', true))) instanceof ApiError));
  });
});

describe('ImagePolicyWebhook', () => {
  const clock = new ManualClock();
  let asked: JsonObject[];
  beforeEach(() => (asked = []));

  function plugin(answer: unknown, fields: Partial<ImagePolicyDependencies> = {}) {
    return imagePolicyWebhook({
      review(review) {
        asked.push(review);
        return answer instanceof Error
          ? Promise.reject(answer)
          : Promise.resolve(answer as Record<string, unknown>);
      },
      apiVersion: 'imagepolicy/v1alpha1',
      annotationPart: '.image-policy/',
      failedOpen: 'failed-open',
      allowedMs: 1000,
      deniedMs: 100,
      allowsByDefault: false,
      clock,
      ...fields,
    });
  }
  const request = (image = 'i') =>
    podRequest(
      pod(
        { containers: [{ image }], initContainers: [{ image: 'j' }] },
        { name: 'p', annotations: { 'x.image-policy/break': 'glass', other: 'y' } },
      ),
    );

  it('asks about the images of a pod, with the annotations that are for it', async () => {
    await admit(plugin({ status: { allowed: true } }), request());
    assert.deepEqual(asked, [
      {
        apiVersion: 'imagepolicy/v1alpha1',
        kind: 'ImageReview',
        metadata: {},
        spec: {
          containers: [{ image: 'i' }, { image: 'j' }],
          annotations: { 'x.image-policy/break': 'glass' },
          namespace: 'n',
        },
      },
    ]);
  });

  it('asks about containers that are added to look in, and about nothing else of a pod', async () => {
    const judge = plugin({ status: { allowed: true } });
    const spec = { containers: [{ image: 'i' }], ephemeralContainers: [{ image: 'e' }] };
    await admit(judge, podRequest(pod(spec), { subresource: 'ephemeralcontainers' }));
    await admit(judge, podRequest(pod(spec), { subresource: 'status' }));
    assert.deepEqual(
      asked.map(({ spec: said }) => (said as JsonObject)['containers']),
      [[{ image: 'e' }]],
    );
  });

  it('refuses with the reason', async () => {
    const answer = await admit(plugin({ status: { allowed: false, reason: 'too old' } }), request());
    assert.match((answer as ApiError).message, /^pods "p" is forbidden: .*too old$/);
  });

  it('remembers answers for their time', async () => {
    const judge = plugin({ status: { allowed: true } });
    await admit(judge, request());
    await admit(judge, request());
    assert.equal(asked.length, 1);
    await admit(judge, request('other'));
    assert.equal(asked.length, 2);
    clock.advance(1000);
    await admit(judge, request());
    assert.equal(asked.length, 3);
  });

  it('refuses without an answer, or lets the pod in with a mark', async () => {
    for (const answer of [new Error('down'), {}]) {
      assert.match(((await admit(plugin(answer), request())) as ApiError).message, /gives no answer/);
      const pod = request();
      assert.ok(!((await admit(plugin(answer, { allowsByDefault: true }), pod)) instanceof ApiError));
      assert.equal(pod.object?.metadata.annotations?.['failed-open'], 'true');
    }
  });
});
