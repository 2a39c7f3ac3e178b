import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import type { Condition, Described } from '../objects.ts';
import { writeConditions } from '../parts/conditions.ts';
import { writeHead } from '../parts/metadata.ts';
import { writeMetric, type Metric } from '../parts/metrics.ts';
import { longTime } from '../times.ts';

interface ScalingRules {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly {
    readonly type?: string;
    readonly value?: number;
    readonly periodSeconds?: number;
  }[];
}

interface HorizontalPodAutoscaler extends Described {
  readonly spec?: {
    readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string };
    readonly metrics?: readonly Metric[];
    readonly minReplicas?: number;
    readonly maxReplicas?: number;
    readonly behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules };
  };
  readonly status?: {
    readonly currentMetrics?: readonly Metric[] | null;
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

export const horizontalPodAutoscaler = defineDescriber<HorizontalPodAutoscaler>({
  write(page, { metadata, spec = {}, status = {} }, world) {
    writeHead(page, metadata, world);
    page.row('CreationTimestamp', longTime(metadata.creationTimestamp));
    const { kind = '', name = '' } = spec.scaleTargetRef ?? {};
    page.row('Reference', `${kind}/${name}`);
    page.row('Metrics', '( current / target )');
    for (const [i, metric] of (spec.metrics ?? []).entries())
      writeMetric(page, metric, status.currentMetrics?.[i]);
    page.row('Min replicas', spec.minReplicas ?? '<unset>');
    page.row('Max replicas', spec.maxReplicas ?? 0);
    if (spec.behavior !== undefined) page.line('Behavior:');
    writeRules(page, 'Scale Up', spec.behavior?.scaleUp);
    writeRules(page, 'Scale Down', spec.behavior?.scaleDown);
    const { currentReplicas = 0, desiredReplicas = 0 } = status;
    page.row(`${kind} pods`, `${currentReplicas} current / ${desiredReplicas} desired`);
    writeConditions(page, status.conditions, { columns: ['type', 'status', 'reason', 'message'] });
  },
});

function writeRules(page: Description, title: string, rules: ScalingRules | undefined): void {
  if (rules === undefined) return;
  page.line(`${title}:`, 1);
  const { stabilizationWindowSeconds: window, selectPolicy = 'Max', policies = [] } = rules;
  if (window !== undefined) page.line(`Stabilization Window: ${window} seconds`, 2);
  if (policies.length === 0) return;
  page.line(`Select Policy: ${selectPolicy}`, 2);
  page.line('Policies:', 2);
  for (const { type = '', value = 0, periodSeconds = 0 } of policies)
    page.line(`- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`, 3);
}
