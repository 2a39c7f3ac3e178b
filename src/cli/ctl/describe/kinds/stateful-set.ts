import { defineDescriber } from '../describer.ts';
import type { Claim, Described, IntOrString, PodTemplate, Selector } from '../objects.ts';
import { writeClaimTemplates } from '../parts/claim.ts';
import { podCounts } from '../parts/controlled-pods.ts';
import { writeLabels } from '../parts/metadata.ts';
import { writePodTemplate } from '../parts/pod-template.ts';
import { selectorText } from '../parts/selector.ts';
import { longTime } from '../times.ts';

interface StatefulSet extends Described {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: Selector;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: IntOrString };
    };
    readonly template?: PodTemplate;
    readonly volumeClaimTemplates?: readonly Claim[];
  };
  readonly status?: { readonly replicas?: number };
}

export const statefulSet = defineDescriber<StatefulSet>({
  async write(page, { metadata, spec = {}, status = {} }, world) {
    page.row('Name', metadata.name ?? '');
    page.row('Namespace', metadata.namespace ?? '');
    page.row('CreationTimestamp', longTime(metadata.creationTimestamp));
    page.row('Selector', selectorText(spec.selector));
    writeLabels(page, metadata, world);
    page.row('Replicas', `${spec.replicas ?? 0} desired | ${status.replicas ?? 0} total`);
    page.row('Update Strategy', spec.updateStrategy?.type ?? '');
    const { partition, maxUnavailable } = spec.updateStrategy?.rollingUpdate ?? {};
    if (partition !== undefined) {
      page.row('Partition', partition, 1);
      if (maxUnavailable !== undefined) page.row('MaxUnavailable', maxUnavailable, 1);
    }
    const { uid, namespace } = metadata;
    page.row('Pods Status', await podCounts({ uid, namespace, selector: spec.selector }, world));
    writePodTemplate(page, spec.template, world);
    writeClaimTemplates(page, spec.volumeClaimTemplates, world);
  },
});
