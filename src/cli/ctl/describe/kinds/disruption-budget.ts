import { defineDescriber } from '../describer.ts';
import type { Described, IntOrString, Selector } from '../objects.ts';
import { selectorOrNone } from '../parts/selector.ts';

interface PodDisruptionBudget extends Described {
  readonly spec?: {
    readonly minAvailable?: IntOrString;
    readonly maxUnavailable?: IntOrString;
    readonly selector?: Selector;
  };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly expectedPods?: number;
  };
}

export const podDisruptionBudget = defineDescriber<PodDisruptionBudget>({
  write(page, { metadata, spec = {}, status = {} }) {
    page.row('Name', metadata.name ?? '');
    page.row('Namespace', metadata.namespace ?? '');
    if (spec.minAvailable !== undefined) page.row('Min available', spec.minAvailable);
    else if (spec.maxUnavailable !== undefined) page.row('Max unavailable', spec.maxUnavailable);
    page.row('Selector', spec.selector === undefined ? '<unset>' : selectorOrNone(spec.selector));
    page.line('Status:');
    page.row('Allowed disruptions', status.disruptionsAllowed ?? 0, 2);
    page.row('Current', status.currentHealthy ?? 0, 2);
    page.row('Desired', status.desiredHealthy ?? 0, 2);
    page.row('Total', status.expectedPods ?? 0, 2);
  },
});
