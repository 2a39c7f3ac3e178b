import assert from 'node:assert/strict';
import { daemonSetStatus, deploymentStatus, statefulSetStatus } from '../../../src/cli/ctl/rollout/status.ts';
import type { StatusOf } from '../../../src/cli/ctl/rollout/status.ts';
import type { Workload } from '../../../src/cli/ctl/rollout/workload.ts';
import { loadNames } from '../../../src/names/load.ts';

const names = loadNames({ profile: 'kubernetes' });

interface Case {
  readonly it: string;
  readonly of: StatusOf;
  readonly spec: object;
  readonly status: object;
  readonly says: string;
  readonly done?: boolean;
}

const ROLLING = { updateStrategy: { type: 'RollingUpdate' } };
const PARTITIONED = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } };

const CASES: readonly Case[] = [
  {
    it: 'waits until the deployment controller has seen the change',
    of: deploymentStatus,
    spec: { replicas: 1 },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    says: 'Waiting for deployment spec update to be observed...\n',
  },
  {
    it: 'waits for new replicas',
    of: deploymentStatus,
    spec: { replicas: 3 },
    status: { observedGeneration: 2, replicas: 3, updatedReplicas: 1, availableReplicas: 3 },
    says: 'Waiting for deployment "x" rollout to finish: 1 out of 3 new replicas have been updated...\n',
  },
  {
    it: 'waits for old replicas to go',
    of: deploymentStatus,
    spec: { replicas: 3 },
    status: { observedGeneration: 2, replicas: 4, updatedReplicas: 3, availableReplicas: 3 },
    says: 'Waiting for deployment "x" rollout to finish: 1 old replicas are pending termination...\n',
  },
  {
    it: 'waits for replicas to be available',
    of: deploymentStatus,
    spec: { replicas: 3 },
    status: { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 2 },
    says: 'Waiting for deployment "x" rollout to finish: 2 of 3 updated replicas are available...\n',
  },
  {
    it: 'is done when all replicas are new and available',
    of: deploymentStatus,
    spec: { replicas: 3 },
    status: { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 },
    says: 'deployment "x" successfully rolled out\n',
    done: true,
  },
  {
    it: 'waits until the daemon set controller has seen the change',
    of: daemonSetStatus,
    spec: ROLLING,
    status: { observedGeneration: 1 },
    says: 'Waiting for daemon set spec update to be observed...\n',
  },
  {
    it: 'waits for updated pods of a daemon set',
    of: daemonSetStatus,
    spec: ROLLING,
    status: { observedGeneration: 2, updatedNumberScheduled: 1, desiredNumberScheduled: 2 },
    says: 'Waiting for daemon set "x" rollout to finish: 1 out of 2 new pods have been updated...\n',
  },
  {
    it: 'waits for available pods of a daemon set',
    of: daemonSetStatus,
    spec: ROLLING,
    status: { observedGeneration: 2, updatedNumberScheduled: 2, desiredNumberScheduled: 2 },
    says: 'Waiting for daemon set "x" rollout to finish: 0 of 2 updated pods are available...\n',
  },
  {
    it: 'is done when all nodes have the new pod',
    of: daemonSetStatus,
    spec: ROLLING,
    status: {
      observedGeneration: 2,
      updatedNumberScheduled: 2,
      desiredNumberScheduled: 2,
      numberAvailable: 2,
    },
    says: 'daemon set "x" successfully rolled out\n',
    done: true,
  },
  {
    it: 'waits until the stateful set controller has seen the change',
    of: statefulSetStatus,
    spec: ROLLING,
    status: {},
    says: 'Waiting for statefulset spec update to be observed...\n',
  },
  {
    it: 'waits for pods of a stateful set to be ready',
    of: statefulSetStatus,
    spec: { ...ROLLING, replicas: 3 },
    status: { observedGeneration: 2, readyReplicas: 1 },
    says: 'Waiting for 2 pods to be ready...\n',
  },
  {
    it: 'waits for pods above the partition',
    of: statefulSetStatus,
    spec: { ...PARTITIONED, replicas: 3 },
    status: { observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1 },
    says: 'Waiting for partitioned roll out to finish: 1 out of 2 new pods have been updated...\n',
  },
  {
    it: 'is done when all pods above the partition are new',
    of: statefulSetStatus,
    spec: { ...PARTITIONED, replicas: 3 },
    status: { observedGeneration: 2, readyReplicas: 3, updatedReplicas: 2 },
    says: 'partitioned roll out complete: 2 new pods have been updated...\n',
    done: true,
  },
  {
    it: 'waits for the revision of a stateful set without partition',
    of: statefulSetStatus,
    spec: { ...ROLLING, replicas: 1 },
    status: {
      observedGeneration: 2,
      readyReplicas: 1,
      updatedReplicas: 0,
      updateRevision: 'b',
      currentRevision: 'a',
    },
    says: 'waiting for statefulset rolling update to complete 0 pods at revision b...\n',
  },
  {
    it: 'is done when the revision of a stateful set is everywhere',
    of: statefulSetStatus,
    spec: { ...ROLLING, replicas: 1 },
    status: {
      observedGeneration: 2,
      readyReplicas: 1,
      currentReplicas: 1,
      updateRevision: 'b',
      currentRevision: 'b',
    },
    says: 'statefulset rolling update complete 1 pods at revision b...\n',
    done: true,
  },
];

function workload(spec: object, status: object, annotations: Record<string, string> = {}): Workload {
  return { metadata: { name: 'x', generation: 2, annotations }, spec, status } as unknown as Workload;
}

describe('how far a rollout is', () => {
  for (const { it: name, of, spec, status, says, done = false } of CASES) {
    it(name, () => {
      assert.deepEqual(of(workload(spec, status), { revision: 0, names }), { text: says, done });
    });
  }

  const OBSERVED = { observedGeneration: 2 };
  const refused: readonly [string, StatusOf, Workload, number, RegExp][] = [
    [
      'a deployment that is past its deadline',
      deploymentStatus,
      workload(
        {},
        { ...OBSERVED, conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }] },
      ),
      0,
      /^deployment "x" exceeded its progress deadline$/,
    ],
    [
      'a deployment of another revision',
      deploymentStatus,
      workload({}, OBSERVED, { 'deployment.kubernetes.io/revision': '3' }),
      2,
      /^desired revision \(2\) is different from the running revision \(3\)$/,
    ],
    [
      'a deployment without a revision that can be read',
      deploymentStatus,
      workload({}, OBSERVED, { 'deployment.kubernetes.io/revision': 'x' }),
      2,
      /^cannot get the revision of deployment "x"$/,
    ],
    [
      'a daemon set that is updated by hand',
      daemonSetStatus,
      workload({ updateStrategy: { type: 'OnDelete' } }, OBSERVED),
      0,
      /only available for RollingUpdate strategy type$/,
    ],
    [
      'a stateful set that is updated by hand',
      statefulSetStatus,
      workload({ updateStrategy: { type: 'OnDelete' } }, OBSERVED),
      0,
      /only available for RollingUpdate strategy type$/,
    ],
  ];
  for (const [name, of, object, revision, message] of refused) {
    it(`refuses ${name}`, () => {
      assert.throws(() => of(object, { revision, names }), { message });
    });
  }
});
