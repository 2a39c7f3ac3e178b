import assert from 'node:assert/strict';
import type { FieldError } from '../../../../src/errors/field-error.ts';
import type { ApiObject, JsonObject } from '../../../../src/meta/object.ts';
import { ephemeralContainersErrors } from '../../../../src/registry/pod/ephemeral-containers.ts';
import { podStatusErrors } from '../../../../src/registry/pod/status-update.ts';
import { podUpdateErrors } from '../../../../src/registry/pod/update.ts';

function pod(spec: JsonObject, status: JsonObject = {}): ApiObject {
  const containers = [{ name: 'c', image: 'i:1' }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers, ...spec },
    status: { qosClass: 'BestEffort', ...status },
  };
}

const told = (errors: readonly FieldError[]): string[] =>
  errors.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`);

const required = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const TERMS = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
const expression = (key: string): JsonObject => ({ key, operator: 'Exists' });
const GATED = { schedulingGates: [{ name: 'a' }, { name: 'b' }] };

describe('an update of a pod', () => {
  const cases: [string, JsonObject, JsonObject, string[]][] = [
    ['may change images', {}, { containers: [{ name: 'c', image: 'i:2' }] }, []],
    ['may not rename containers', {}, { containers: [{ name: 'd', image: 'i:1' }] }, ['Forbidden spec']],
    ['may not add containers', {}, { initContainers: [{ name: 'd' }] }, ['Forbidden spec.initContainers']],
    ['may set a deadline', {}, { activeDeadlineSeconds: 5 }, []],
    ['may shorten a deadline', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 4 }, []],
    [
      'may not lengthen a deadline',
      { activeDeadlineSeconds: 5 },
      { activeDeadlineSeconds: 6 },
      ['Invalid spec.activeDeadlineSeconds'],
    ],
    [
      'may not take a deadline back',
      { activeDeadlineSeconds: 5 },
      {},
      ['Invalid spec.activeDeadlineSeconds'],
    ],
    ['may add tolerations', {}, { tolerations: [{ key: 'a', operator: 'Exists' }] }, []],
    ['may not remove tolerations', { tolerations: [{ key: 'a' }] }, {}, ['Forbidden spec.tolerations']],
    [
      'may mend a negative grace period',
      { terminationGracePeriodSeconds: -5 },
      { terminationGracePeriodSeconds: 1 },
      [],
    ],
    [
      'may not change the grace period else',
      { terminationGracePeriodSeconds: 5 },
      { terminationGracePeriodSeconds: 1 },
      ['Forbidden spec'],
    ],
    ['may remove gates', GATED, { schedulingGates: [{ name: 'b' }] }, []],
    [
      'may not add gates',
      GATED,
      { schedulingGates: [{ name: 'b' }, { name: 'c' }] },
      ['Forbidden spec.schedulingGates[1].name'],
    ],
    ['may not choose the node', {}, { nodeName: 'n' }, ['Forbidden spec']],
    ['may not select nodes', {}, { nodeSelector: { a: 'b' } }, ['Forbidden spec']],
    ['may select fewer nodes at a gate', GATED, { ...GATED, nodeSelector: { a: 'b' } }, []],
    [
      'may not select other nodes at a gate',
      { ...GATED, nodeSelector: { a: 'b' } },
      { ...GATED, nodeSelector: { a: 'c' } },
      ['Invalid spec.nodeSelector'],
    ],
    [
      'may ask for nodes at a gate',
      GATED,
      { ...GATED, ...required({ matchExpressions: [expression('a')] }) },
      [],
    ],
    [
      'may ask for more of nodes at a gate',
      { ...GATED, ...required({ matchExpressions: [expression('a')] }) },
      { ...GATED, ...required({ matchExpressions: [expression('a'), expression('b')] }) },
      [],
    ],
    [
      'may not add alternatives at a gate',
      { ...GATED, ...required({ matchExpressions: [expression('a')] }) },
      {
        ...GATED,
        ...required({ matchExpressions: [expression('a')] }, { matchExpressions: [expression('b')] }),
      },
      [`Invalid ${TERMS}`],
    ],
    [
      'may not fill empty terms at a gate',
      { ...GATED, ...required({}) },
      { ...GATED, ...required({ matchExpressions: [expression('a')] }) },
      [`Invalid ${TERMS}[0]`],
    ],
  ];
  for (const [title, old, next, expected] of cases) {
    it(title, () => assert.deepEqual(told(podUpdateErrors(pod(next), pod(old))), expected));
  }

  it('says what it may not change', () => {
    const next = { containers: [{ name: 'c', image: 'i:1', args: ['x'] }], hostname: 'h' };
    const [error] = podUpdateErrors(pod(next), pod({}));
    assert.match(error?.message ?? '', /it would change spec\.containers\[0\]\.args, spec\.hostname$/);
  });
});

describe("an update of a pod's status", () => {
  const ended = (exitCode: number): JsonObject => ({
    containerStatuses: [{ name: 'c', state: { terminated: { exitCode } } }],
  });
  const running = { containerStatuses: [{ name: 'c', state: { running: {} } }] };
  const revived = ['Forbidden status.containerStatuses[0].state'];
  const cases: [string, JsonObject, JsonObject, JsonObject, string[]][] = [
    ['may start containers again', { restartPolicy: 'Always' }, ended(0), running, []],
    ['may not revive what has ended', { restartPolicy: 'Never' }, ended(1), running, revived],
    ['may start again what has failed', { restartPolicy: 'OnFailure' }, ended(1), running, []],
    ['may not start again what has succeeded', { restartPolicy: 'OnFailure' }, ended(0), running, revived],
    ['may not change the class', {}, {}, { qosClass: 'Burstable' }, ['Invalid status.qosClass']],
    ['gives one address a family', {}, {}, { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] }, []],
    [
      'gives no two addresses of a family',
      {},
      {},
      { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] },
      ['Invalid status.podIPs'],
    ],
    ['gives addresses', {}, {}, { podIPs: [{ ip: 'x' }] }, ['Invalid status.podIPs[0]']],
    [
      'tells the same address twice',
      {},
      {},
      { hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.2' }] },
      ['Invalid status.hostIPs[0].ip'],
    ],
    [
      'has conditions with names',
      {},
      {},
      { conditions: [{ type: 'Ready' }, { type: 'a b' }] },
      ['Invalid metadata.conditions[1].Type'],
    ],
    ['nominates nodes', {}, {}, { nominatedNodeName: 'A_' }, ['Invalid status.nominatedNodeName']],
  ];
  for (const [title, spec, old, next, expected] of cases) {
    it(title, () => assert.deepEqual(told(podStatusErrors(pod(spec, next), pod(spec, old))), expected));
  }
});

describe('an update of ephemeral containers', () => {
  const MIRROR = 'example.com/mirror';
  const a = { name: 'a', image: 'i' };
  const cases: [string, JsonObject[], JsonObject[], string[]][] = [
    ['may add some', [a], [a, { name: 'b', image: 'i' }], []],
    ['may not remove any', [a], [], ['Forbidden spec.ephemeralContainers']],
    ['may not change any', [a], [{ ...a, image: 'j' }], ['Forbidden spec.ephemeralContainers']],
  ];
  for (const [title, old, next, expected] of cases) {
    it(title, () => {
      const errors = ephemeralContainersErrors(
        pod({ ephemeralContainers: next }),
        pod({ ephemeralContainers: old }),
        MIRROR,
      );
      assert.deepEqual(told(errors), expected);
    });
  }

  it('is not for pods of a node itself', () => {
    const old = pod({});
    old.metadata.annotations = { [MIRROR]: '' };
    assert.deepEqual(told(ephemeralContainersErrors(pod({ ephemeralContainers: [a] }), old, MIRROR)), [
      'Forbidden []',
    ]);
  });
});
