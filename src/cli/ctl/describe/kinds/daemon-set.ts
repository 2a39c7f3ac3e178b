import { defineDescriber } from '../describer.ts';
import type { Described, PodTemplate, Selector } from '../objects.ts';
import { podCounts } from '../parts/controlled-pods.ts';
import { labelText, writeLabels } from '../parts/metadata.ts';
import { writePodTemplate } from '../parts/pod-template.ts';
import { selectorText } from '../parts/selector.ts';

interface DaemonSet extends Described {
  readonly spec?: { readonly selector?: Selector; readonly template?: PodTemplate };
  readonly status?: {
    readonly desiredNumberScheduled?: number;
    readonly currentNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly numberMisscheduled?: number;
  };
}

export const daemonSet = defineDescriber<DaemonSet>({
  async write(page, { metadata, spec = {}, status = {} }, world) {
    page.row('Name', metadata.name ?? '');
    page.row('Selector', selectorText(spec.selector));
    page.row('Node-Selector', labelText(spec.template?.spec?.nodeSelector));
    writeLabels(page, metadata, world);
    const scheduled = 'Number of Nodes Scheduled';
    page.line(`Desired ${scheduled}: ${status.desiredNumberScheduled ?? 0}`);
    page.line(`Current ${scheduled}: ${status.currentNumberScheduled ?? 0}`);
    page.line(`${scheduled} with Up-to-date Pods: ${status.updatedNumberScheduled ?? 0}`);
    page.line(`${scheduled} with Available Pods: ${status.numberAvailable ?? 0}`);
    page.line(`Number of Nodes Misscheduled: ${status.numberMisscheduled ?? 0}`);
    const { uid, namespace } = metadata;
    page.row('Pods Status', await podCounts({ uid, namespace, selector: spec.selector }, world));
    writePodTemplate(page, spec.template, world);
  },
});
