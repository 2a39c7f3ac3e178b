import { code, columns, exact, type Line } from './lines.ts';

/** States that controllers and kubelets would tell of. */
const STATUSES: readonly (readonly [name: string, status: object])[] = [
  [
    'pod rich',
    {
      status: {
        phase: 'Running',
        reason: 'Because',
        message: 'all-of-it',
        hostIP: '10.0.0.9',
        hostIPs: [{ ip: '10.0.0.9' }],
        podIP: '10.1.0.5',
        podIPs: [{ ip: '10.1.0.5' }, { ip: 'fd00::5' }],
        startTime: '2020-01-01T00:00:00Z',
        nominatedNodeName: 'n2',
        conditions: [
          { type: 'Ready', status: 'False', reason: 'x' },
          { type: 'example.com/ready', status: 'True' },
        ],
        containerStatuses: [
          {
            name: 'main',
            image: 'nginx:1',
            imageID: 'id',
            containerID: 'c://1',
            ready: true,
            started: true,
            restartCount: 2,
            state: { running: { startedAt: '2020-01-02T00:00:00Z' } },
            lastState: {
              terminated: {
                exitCode: 137,
                signal: 9,
                reason: 'OOMKilled',
                message: 'big',
                startedAt: '2020-01-01T00:00:00Z',
                finishedAt: '2020-01-02T00:00:00Z',
              },
            },
          },
          {
            name: 'bare',
            image: 'nginx:2',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { waiting: { reason: 'ImagePullBackOff', message: 'm' } },
            lastState: {},
          },
        ],
      },
    },
  ],
  [
    'quota quota',
    {
      status: {
        hard: { 'requests.memory': '10Gi', pods: '10' },
        used: { 'requests.memory': '1G', pods: '2' },
      },
    },
  ],
  [
    'deployment web',
    {
      status: {
        replicas: 2,
        updatedReplicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
        unavailableReplicas: 1,
        conditions: [
          {
            type: 'Available',
            status: 'True',
            reason: 'MinimumReplicasAvailable',
            lastUpdateTime: '2020-01-01T00:00:00Z',
            lastTransitionTime: '2020-01-01T00:00:00Z',
          },
        ],
      },
    },
  ],
  [
    'pvc claim',
    {
      status: {
        phase: 'Pending',
        conditions: [
          {
            type: 'Resizing',
            status: 'True',
            reason: 'r',
            message: 'm',
            lastTransitionTime: '2020-01-01T00:00:00Z',
          },
        ],
      },
    },
  ],
  [
    'pvc bound',
    { status: { phase: 'Bound', accessModes: ['ReadWriteMany'], capacity: { storage: '10Gi' } } },
  ],
  [
    'job job',
    {
      status: { startTime: '2020-01-01T00:00:00Z', active: 1, ready: 1, completedIndexes: '1', succeeded: 1 },
    },
  ],
  [
    'hpa hpa',
    {
      status: {
        currentReplicas: 2,
        desiredReplicas: 3,
        currentMetrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', current: { averageUtilization: 40, averageValue: '100m' } },
          },
          { type: 'Resource', resource: { name: 'memory', current: { averageValue: '50Mi' } } },
          { type: 'Pods', pods: { metric: { name: 'm' }, current: { averageValue: '2' } } },
          {
            type: 'Object',
            object: {
              metric: { name: 'o' },
              describedObject: { kind: 'Service', name: 'web' },
              current: { value: '5' },
            },
          },
          { type: 'External', external: { metric: { name: 'e' }, current: { averageValue: '1' } } },
        ],
        conditions: [{ type: 'AbleToScale', status: 'True', reason: 'r', message: 'm' }],
      },
    },
  ],
  [
    'cronjob cron',
    { status: { lastScheduleTime: '2020-01-01T00:00:00Z', active: [{ name: 'a' }, { name: 'b' }] } },
  ],
  ['pdb pdb', { status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 } }],
  ['ingress ing', { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }, { hostname: 'h' }] } } }],
  ['statefulset sts', { status: { replicas: 1 } }],
];

/** Descriptions of every kind that has one of its own, and of some that have none. */
export const DESCRIBE_LINES: readonly Line[] = [
  exact('describe pod rich'),
  exact('describe pod rich --show-events=false'),
  exact('describe pods'),
  exact('describe pods pl'),
  exact('describe pods -l app=web'),
  exact('describe pod/plain deployment/web'),
  exact('describe deployments'),
  exact('describe replicasets,statefulsets,daemonsets,replicationcontrollers'),
  exact('describe jobs,cronjobs'),
  exact('describe services'),
  exact('describe ingresses'),
  exact('describe endpoints,endpointslices'),
  exact('describe ingressclasses'),
  exact('describe networkpolicies'),
  exact('describe configmap c'),
  exact('describe secrets'),
  columns('describe nodes'),
  exact('describe namespace default'),
  exact('describe persistentvolumeclaims'),
  exact('describe persistentvolumes'),
  exact('describe storageclasses,csinodes'),
  exact('describe priorityclasses'),
  exact('describe serviceaccounts'),
  exact('describe roles,rolebindings'),
  exact('describe clusterroles'),
  exact('describe clusterrolebindings'),
  exact('describe resourcequotas,limitranges'),
  columns('describe poddisruptionbudgets'), // Events of our controller have ages, as below.
  exact('describe horizontalpodautoscalers'),
  exact('describe controllerrevisions'),
  exact('describe lease lease'),
  exact('describe customresourcedefinitions'),
  code('describe pod gone'),
  code('describe pod/rich pod/gone'),
  code('describe nonsense'),
  code('describe'),
  ...STATUSES.flatMap(([name, status]) => [
    code(`patch ${name} --subresource=status --type=merge -p ${JSON.stringify(status)}`),
    name.startsWith('pdb') ? columns(`describe ${name}`) : exact(`describe ${name}`),
  ]),
];
