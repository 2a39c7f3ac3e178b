import type { Dice } from './dice.ts';

export type Body = Record<string, unknown>;

/** A kind, and how random objects of it are made. */
export interface Kind {
  /** In which versions requests come. */
  readonly versions: readonly { readonly prefix: string; readonly apiVersion: string }[];
  readonly resource: string;
  readonly kind: string;
  readonly status: boolean;
  readonly scale: boolean;
  /** A whole object's content in a version. */
  full(dice: Dice, apiVersion: string): Body;
  /** Some of it, as an applier would say. */
  partial(dice: Dice, apiVersion: string): Body;
  statusOf(dice: Dice, apiVersion: string): Body;
}

const labels = (dice: Dice): Body =>
  Object.fromEntries(dice.some(['a', 'b', 'c'], 0.4).map((key) => [key, dice.pick(['1', '2'])]));

export function metadata(dice: Dice): Body {
  return {
    ...(dice.happens(0.4) ? { labels: labels(dice) } : {}),
    ...(dice.happens(0.2) ? { annotations: labels(dice) } : {}),
    ...(dice.happens(0.2) ? { finalizers: dice.some(['x.io/1', 'x.io/2', 'x.io/3'], 0.5) } : {}),
    ...(dice.happens(0.2)
      ? {
          ownerReferences: dice
            .some(['u1', 'u2', 'u3'], 0.5)
            .map((uid) => ({ apiVersion: 'v1', kind: 'X', name: dice.pick(['n', 'm']), uid })),
        }
      : {}),
  };
}

const configMaps: Kind = {
  versions: [{ prefix: '/api/v1', apiVersion: 'v1' }],
  resource: 'configmaps',
  kind: 'ConfigMap',
  status: false,
  scale: false,
  full: (dice) => ({ data: labels(dice), ...(dice.happens(0.3) ? { binaryData: { z: 'AA==' } } : {}) }),
  partial: (dice) => (dice.happens(0.7) ? { data: labels(dice) } : {}),
  statusOf: () => ({}),
};

function container(dice: Dice, name: string, whole: boolean): Body {
  return {
    name,
    ...(whole || dice.happens(0.5) ? { image: dice.pick(['i:1', 'i:2']) } : {}),
    ...(dice.happens(0.3)
      ? {
          ports: dice.some([80, 81, 82], 0.5).map((containerPort) => ({
            containerPort,
            ...(dice.happens(0.5) ? { protocol: 'TCP' } : {}),
          })),
        }
      : {}),
    ...(dice.happens(0.3)
      ? { env: dice.some(['A', 'B', 'C'], 0.5).map((key) => ({ name: key, value: dice.pick(['1', '2']) })) }
      : {}),
    ...(dice.happens(0.3) ? { args: dice.some(['x', 'y'], 0.5) } : {}),
    ...(dice.happens(0.3)
      ? {
          resources: {
            limits: { cpu: dice.pick(['1', '1000m', '2']), memory: dice.pick(['1Gi', '1024Mi']) },
          },
        }
      : {}),
    ...(dice.happens(0.1) ? { securityContext: { privileged: dice.happens(0.5) } } : {}),
  };
}

function containers(dice: Dice, whole: boolean): Body[] {
  const names = dice.some(['c', 'd', 'e'], 0.5);
  if (dice.happens(0.3)) names.reverse();
  if (whole && names.length === 0) names.push('c');
  return names.map((name) => container(dice, name, whole));
}

function podSpec(dice: Dice, whole: boolean): Body {
  return {
    ...(whole || dice.happens(0.6) ? { containers: containers(dice, whole) } : {}),
    ...(dice.happens(0.2) ? { nodeSelector: labels(dice) } : {}),
    ...(dice.happens(0.2) ? { tolerations: [{ key: dice.pick(['a', 'b']), operator: 'Exists' }] } : {}),
    ...(dice.happens(0.2) ? { terminationGracePeriodSeconds: dice.pick([10, 30]) } : {}),
    ...(dice.happens(0.1) ? { restartPolicy: 'Always' } : {}),
    ...(dice.happens(0.1) ? { dnsPolicy: null } : {}),
  };
}

const deployments: Kind = {
  versions: [{ prefix: '/apis/apps/v1', apiVersion: 'apps/v1' }],
  resource: 'deployments',
  kind: 'Deployment',
  status: true,
  scale: true,
  full: (dice) => ({
    spec: {
      ...(dice.happens(0.5) ? { replicas: dice.pick([1, 2, 3]) } : {}),
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } }, spec: podSpec(dice, true) },
      ...(dice.happens(0.2) ? { strategy: { type: 'Recreate' } } : {}),
    },
  }),
  partial: (dice) => ({
    ...(dice.happens(0.1) ? { status: { replicas: dice.pick([1, 2]) } } : {}),
    ...(dice.happens(0.9)
      ? {
          spec: {
            ...(dice.happens(0.4) ? { replicas: dice.pick([1, 2, 3]) } : {}),
            ...(dice.happens(0.2) ? { paused: dice.pick([true, false, null]) } : {}),
            ...(dice.happens(0.3) ? { selector: { matchLabels: { app: 'x' } } } : {}),
            ...(dice.happens(0.8) ? { template: { spec: podSpec(dice, false) } } : {}),
          },
        }
      : {}),
  }),
  statusOf: (dice) => ({
    status: {
      ...(dice.happens(0.5) ? { replicas: dice.pick([1, 2]) } : {}),
      ...(dice.happens(0.5) ? { observedGeneration: dice.pick([1, 2]) } : {}),
      ...(dice.happens(0.5)
        ? {
            conditions: dice
              .some(['P', 'Q'], 0.6)
              .map((type) => ({ type, status: dice.pick(['True', 'False']), reason: dice.pick(['r', 's']) })),
          }
        : {}),
    },
  }),
};

const services: Kind = {
  versions: [{ prefix: '/api/v1', apiVersion: 'v1' }],
  resource: 'services',
  kind: 'Service',
  status: true,
  scale: false,
  full: (dice) => ({
    spec: { type: 'ExternalName', externalName: 'x.y', ports: ports(dice, true), selector: labels(dice) },
  }),
  partial: (dice) => ({
    spec: {
      type: 'ExternalName',
      externalName: 'x.y',
      ...(dice.happens(0.7) ? { ports: ports(dice, false) } : {}),
      ...(dice.happens(0.4) ? { selector: labels(dice) } : {}),
      ...(dice.happens(0.2) ? { publishNotReadyAddresses: true } : {}),
    },
  }),
  statusOf: (dice) => ({
    status: {
      loadBalancer: {},
      conditions: dice.some(['P', 'Q'], 0.5).map((type) => ({
        type,
        status: dice.pick(['True', 'False']),
        reason: 'r',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  }),
};

function ports(dice: Dice, whole: boolean): Body[] {
  const numbers = dice.some([80, 81, 82], 0.5);
  if (whole && numbers.length === 0) numbers.push(80);
  return numbers.map((port) => ({
    port,
    name: `p${port}`,
    ...(dice.happens(0.3) ? { protocol: 'TCP' } : {}),
    ...(dice.happens(0.3) ? { targetPort: dice.pick<number | string>([80, 8080, 'web']) } : {}),
  }));
}

const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };

const autoscalers: Kind = {
  versions: [
    { prefix: '/apis/autoscaling/v1', apiVersion: 'autoscaling/v1' },
    { prefix: '/apis/autoscaling/v2', apiVersion: 'autoscaling/v2' },
  ],
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  status: true,
  scale: false,
  full: (dice, apiVersion) => ({
    spec: { maxReplicas: dice.pick([3, 4]), scaleTargetRef: target, ...scaling(dice, apiVersion) },
  }),
  partial: (dice, apiVersion) => ({
    spec: {
      ...(dice.happens(0.6) ? { maxReplicas: dice.pick([3, 4]) } : {}),
      ...(dice.happens(0.3) ? { minReplicas: dice.pick([1, 2]) } : {}),
      ...(dice.happens(0.4) ? { scaleTargetRef: target } : {}),
      ...scaling(dice, apiVersion),
    },
  }),
  statusOf: (dice) => ({ status: { currentReplicas: dice.pick([1, 2]), desiredReplicas: 1 } }),
};

function scaling(dice: Dice, apiVersion: string): Body {
  const percent = dice.pick([50, 60]);
  if (dice.happens(0.5)) return {};
  if (apiVersion === 'autoscaling/v1') return { targetCPUUtilizationPercentage: percent };
  const resource = {
    name: dice.pick(['cpu', 'memory']),
    target: { type: 'Utilization', averageUtilization: percent },
  };
  return { metrics: [{ type: 'Resource', resource }] };
}

export const KINDS: readonly Kind[] = [configMaps, deployments, services, autoscalers];
