import type { Json, JsonObject } from '../../meta/object.ts';

/** The metric that aims at a CPU utilization. */
export function cpuMetric(percent: Json): JsonObject {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
  };
}
