import { defineDescriber } from '../describer.ts';
import type { Condition, Described, Pairs, PodTemplate, Selector } from '../objects.ts';
import { writeConditions } from '../parts/conditions.ts';
import { podCounts } from '../parts/controlled-pods.ts';
import { controllerOf, labelText, writeLabels } from '../parts/metadata.ts';
import { writePodTemplate } from '../parts/pod-template.ts';
import { selectorOrNone } from '../parts/selector.ts';

interface Replicas extends Described {
  readonly status?: { readonly replicas?: number; readonly conditions?: readonly Condition[] };
}

interface ReplicaSet extends Replicas {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: Selector;
    readonly template?: PodTemplate;
  };
}

interface ReplicationController extends Replicas {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: Pairs;
    readonly template?: PodTemplate;
  };
}

const CONDITIONS = { columns: ['type', 'status', 'reason'], spaced: 1 } as const;

export const replicaSet = defineDescriber<ReplicaSet>({
  async write(page, { metadata, spec = {}, status = {} }, world) {
    page.row('Name', metadata.name ?? '');
    page.row('Namespace', metadata.namespace ?? '');
    page.row('Selector', selectorOrNone(spec.selector));
    writeLabels(page, metadata, world);
    const controller = controllerOf(metadata);
    if (controller !== undefined) page.row('Controlled By', controller);
    page.row('Replicas', `${status.replicas ?? 0} current / ${spec.replicas ?? 0} desired`);
    const { uid, namespace } = metadata;
    const counts = await podCounts({ uid, namespace, selector: spec.selector }, world).catch(
      (error: unknown) => `error in fetching pods: ${error instanceof Error ? error.message : String(error)}`,
    );
    page.row('Pods Status', counts);
    writePodTemplate(page, spec.template, world);
    writeConditions(page, status.conditions, CONDITIONS);
  },
});

export const replicationController = defineDescriber<ReplicationController>({
  async write(page, { metadata, spec = {}, status = {} }, world) {
    page.row('Name', metadata.name ?? '');
    page.row('Namespace', metadata.namespace ?? '');
    page.row('Selector', labelText(spec.selector));
    writeLabels(page, metadata, world);
    page.row('Replicas', `${status.replicas ?? 0} current / ${spec.replicas ?? 0} desired`);
    const { uid, namespace } = metadata;
    const selector = { matchLabels: { ...spec.selector } };
    page.row('Pods Status', await podCounts({ uid, namespace, selector }, world));
    writePodTemplate(page, spec.template, world);
    writeConditions(page, status.conditions, CONDITIONS);
  },
});
