import type { JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { objectAt, sizeOf } from '../../meta/fields.ts';
import { cpuMetric } from '../convert/cpu-metric.ts';
import type { ResourceHooks } from '../hooks.ts';

const CPU_PERCENT = 80;

/** HorizontalPodAutoscalers: CPU is what counts unless metrics are named; scaling rules are filled up. */
export function autoscalerHooks(names: NamingProfile): ResourceHooks {
  const metricsAnnotation = names.get('annotation.autoscaling-metrics');
  return {
    defaults(autoscaler) {
      const spec = objectAt(autoscaler, 'spec');
      if (spec === undefined) return;
      if (!autoscaler.apiVersion.endsWith('/v1')) defaultMetrics(spec);
      else if (autoscaler.metadata.annotations?.[metricsAnnotation] === undefined) {
        spec.targetCPUUtilizationPercentage ??= CPU_PERCENT;
      }
    },
  };
}

function defaultMetrics(spec: JsonObject): void {
  if (sizeOf(spec.metrics) === 0) spec.metrics = [cpuMetric(CPU_PERCENT)];
  const behavior = objectAt(spec, 'behavior');
  if (behavior === undefined) return;
  behavior.scaleUp = { ...scaleUpRules(), ...objectAt(behavior, 'scaleUp') };
  behavior.scaleDown = { ...scaleDownRules(), ...objectAt(behavior, 'scaleDown') };
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
