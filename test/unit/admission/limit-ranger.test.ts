import assert from 'node:assert/strict';
import { readLimitRange } from '../../../src/admission/limit-ranger/limit-range.ts';
import { limitRanger } from '../../../src/admission/limit-ranger/plugin.ts';
import type { AdmissionRequest } from '../../../src/admission/admission.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { admit, pod, podRequest } from './pod-requests.ts';
import { admissionRequest, object } from './requests.ts';

const NOTE = 'note';

function plugin(...ranges: JsonObject[][]) {
  const read = ranges.map((limits) => readLimitRange(object({ name: 'l' }, { spec: { limits } })));
  return limitRanger({ listRanges: () => Promise.resolve(read), annotation: NOTE });
}

function container(name: string, requests?: JsonObject, limits?: JsonObject): JsonObject {
  const resources = { ...(requests && { requests }), ...(limits && { limits }) };
  return Object.keys(resources).length === 0 ? { name } : { name, resources };
}

describe('LimitRanger', () => {
  const DEFAULTS = {
    type: 'Container',
    default: { memory: '64Mi', cpu: '200m' },
    defaultRequest: { cpu: '100m' },
  };

  it('fills in what containers do not say, and tells so', async () => {
    const asked = podRequest(
      pod({
        initContainers: [container('i', { cpu: '1' }, { cpu: '2' })],
        containers: [container('a'), container('b', { cpu: '1' }, { cpu: '1', memory: '1Gi' })],
      }),
    );
    assert.deepEqual(await admit(plugin([DEFAULTS]), asked), {
      initContainers: [container('i', { cpu: '1' }, { cpu: '2', memory: '64Mi' })],
      containers: [
        container('a', { cpu: '100m' }, { cpu: '200m', memory: '64Mi' }),
        container('b', { cpu: '1' }, { cpu: '1', memory: '1Gi' }),
      ],
    });
    assert.equal(
      asked.object?.metadata.annotations?.[NOTE],
      'LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a; ' +
        'memory limit for init container i',
    );
  });

  it('leaves a pod alone that says everything', async () => {
    const asked = podRequest(pod({ containers: [container('a', { cpu: '1' }, { cpu: '1', memory: '1' })] }));
    await admit(plugin([DEFAULTS]), asked);
    assert.equal(asked.object?.metadata.annotations, undefined);
  });

  it('takes each default from the first range that has it', async () => {
    const other = { type: 'Container', default: { cpu: '9', 'example.com/gpu': '1' } };
    const spec = await admit(plugin([DEFAULTS], [other]), podRequest(pod({ containers: [container('a')] })));
    assert.deepEqual(spec, {
      containers: [container('a', { cpu: '100m' }, { cpu: '200m', memory: '64Mi', 'example.com/gpu': '1' })],
    });
  });

  const ofContainers = {
    type: 'Container',
    min: { cpu: '50m' },
    max: { cpu: '1' },
    maxLimitRequestRatio: { cpu: '4' },
  };
  const ofPods = { type: 'Pod', max: { cpu: '2' }, min: { memory: '10Mi' } };
  const refusals: [title: string, limits: JsonObject[], spec: JsonObject, expected: RegExp | undefined][] = [
    [
      'within bounds',
      [ofContainers],
      { containers: [container('a', { cpu: '250m' }, { cpu: '1' })] },
      undefined,
    ],
    [
      'without a request',
      [ofContainers],
      { containers: [container('a')] },
      /container a: at least 50m of cpu.*no request/,
    ],
    [
      'that asks for too little',
      [ofContainers],
      { containers: [container('a', { cpu: '49m' }, { cpu: '100m' })] },
      /at least 50m.*the request is 49m/,
    ],
    [
      'whose limit is too small',
      [ofContainers],
      { containers: [container('a', { cpu: '50m' }, { cpu: '40m' })] },
      /at least 50m.*the limit is 40m/,
    ],
    [
      'without a limit',
      [ofContainers],
      { containers: [container('a', { cpu: '1' })] },
      /at most 1 of cpu.*no limit/,
    ],
    [
      'whose limit is too large',
      [ofContainers],
      { containers: [container('a', { cpu: '1' }, { cpu: '1001m' })] },
      /at most 1 of cpu.*the limit is 1001m/,
    ],
    [
      'whose limit is too far from its request',
      [ofContainers],
      { containers: [container('a', { cpu: '100m' }, { cpu: '900m' })] },
      /at most 4 times.*it is 9 times/,
    ],
    [
      'that requests nothing where a ratio is set',
      [ofContainers],
      { containers: [container('a', { cpu: '0' }, { cpu: '900m' })] },
      /the request is 0 or not specified/,
    ],
    [
      'whose init container is out of bounds',
      [ofContainers],
      { initContainers: [container('i', { cpu: '2' }, { cpu: '2' })] },
      /init container i: at most 1/,
    ],
    [
      'whose containers are too large together',
      [ofPods],
      {
        containers: [container('a', { memory: '10Mi' }, { cpu: '1' }), container('b', {}, { cpu: '1500m' })],
      },
      /the pod: at most 2 of cpu may be used, and the limit is 2500m/,
    ],
    [
      'whose init containers run one after the other',
      [ofPods],
      {
        initContainers: [container('i', {}, { cpu: '2' }), container('j', {}, { cpu: '2' })],
        containers: [container('a', { memory: '10Mi' }, { cpu: '1' })],
      },
      undefined,
    ],
    [
      'whose init container goes on running',
      [ofPods],
      {
        initContainers: [{ ...container('i', {}, { cpu: '1500m' }), restartPolicy: 'Always' }],
        containers: [container('a', { memory: '10Mi' }, { cpu: '1' })],
      },
      /the limit is 2500m/,
    ],
    [
      'that only claims are limited for',
      [{ type: 'PersistentVolumeClaim', min: { storage: '1' } }],
      {},
      undefined,
    ],
  ];
  for (const [title, limits, spec, expected] of refusals) {
    it(`${expected === undefined ? 'allows' : 'refuses'} a pod ${title}`, async () => {
      const answer = await admit(plugin(limits), podRequest(pod(spec)));
      if (expected === undefined) assert.ok(!(answer instanceof ApiError));
      else {
        assert.ok(answer instanceof ApiError);
        assert.equal(answer.reason, 'Forbidden');
        assert.match(answer.message, expected);
      }
    });
  }

  const claim = (storage: string, fields: Partial<AdmissionRequest> = {}): AdmissionRequest =>
    admissionRequest('persistentvolumeclaims', '', {
      object: object({ name: 'c', namespace: 'n' }, { spec: { resources: { requests: { storage } } } }),
      ...fields,
    });
  const claims = plugin([
    { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
  ]);
  const going = object({ name: 'c', deletionTimestamp: '2024-01-01T00:00:00Z' });
  const ofClaims: [title: string, request: AdmissionRequest, refused: boolean][] = [
    ['that fits', claim('2Gi'), false],
    ['that is too small', claim('500Mi'), true],
    ['that is too large', claim('2049Mi'), true],
    ['that grows too large', claim('3Gi', { oldObject: object({ name: 'c' }) }), true],
    ['that is about to go', claim('3Gi', { oldObject: going }), false],
    [
      'whose status changes',
      claim('3Gi', { oldObject: object({ name: 'c' }), subresource: 'status' }),
      false,
    ],
  ];
  for (const [title, request, refuses] of ofClaims) {
    it(`${refuses ? 'refuses' : 'allows'} a claim ${title}`, async () =>
      assert.equal((await admit(claims, request)) instanceof ApiError, refuses));
  }

  it('looks at pods when they are made and resized, and at nothing else', async () => {
    const looked: string[] = [];
    const spy = limitRanger({
      listRanges: (namespace) => Promise.resolve((looked.push(namespace), [])),
      annotation: NOTE,
    });
    await admit(spy, podRequest(pod(), { operation: 'UPDATE', oldObject: pod() }));
    await admit(spy, podRequest(pod(), { subresource: 'binding' }));
    await admit(spy, admissionRequest('configmaps', '', { object: object({ name: 'a' }) }));
    assert.deepEqual(looked, []);
    await admit(spy, podRequest(pod(), { operation: 'UPDATE', oldObject: pod(), subresource: 'resize' }));
    assert.deepEqual(looked, ['n', 'n']);
  });
});
