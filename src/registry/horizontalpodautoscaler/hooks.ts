import type { Json, JsonObject } from '../../meta/object.ts';
import { objectAt, sizeOf } from '../fields.ts';
import type { ResourceHooks } from '../hooks.ts';

const CPU_PERCENT = 80;

/** HorizontalPodAutoscalers: CPU is what counts unless metrics are named; scaling rules are filled up. */
export const autoscalerHooks: ResourceHooks = {
  defaults(autoscaler) {
    const spec = objectAt(autoscaler, 'spec');
    // The older form names its one metric by a field, and its conversion fills it in.
    if (spec === undefined || autoscaler.apiVersion.endsWith('/v1')) return;
    if (sizeOf(spec.metrics) === 0) spec.metrics = [cpuMetric(CPU_PERCENT)];
    const behavior = objectAt(spec, 'behavior');
    if (behavior === undefined) return;
    behavior.scaleUp = { ...scaleUpRules(), ...objectAt(behavior, 'scaleUp') };
    behavior.scaleDown = { ...scaleDownRules(), ...objectAt(behavior, 'scaleDown') };
  },
};

/** The metric that aims at a CPU utilization. */
export function cpuMetric(percent: Json): JsonObject {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
  };
}

function scaleUpRules(): JsonObject {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  };
}

function scaleDownRules(): JsonObject {
  return { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };
}
