import { sameJson } from '../../../../meta/same-json.ts';
import { defineDescriber } from '../describer.ts';
import type { Condition, Described, IntOrString, JsonObject, PodTemplate, Selector } from '../objects.ts';
import { writeConditions } from '../parts/conditions.ts';
import { writeLabels } from '../parts/metadata.ts';
import { writePodTemplate } from '../parts/pod-template.ts';
import { selectorText } from '../parts/selector.ts';
import { longTime } from '../times.ts';
import type { World } from '../world.ts';

interface Deployment extends Described {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: Selector;
    readonly minReadySeconds?: number;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: {
        readonly maxUnavailable?: IntOrString;
        readonly maxSurge?: IntOrString;
      };
    };
    readonly template?: PodTemplate;
  };
  readonly status?: {
    readonly updatedReplicas?: number;
    readonly replicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

interface ReplicaSet extends Described {
  readonly spec?: { readonly replicas?: number; readonly template?: PodTemplate };
  readonly status?: { readonly replicas?: number };
}

/** What tells the pods of one template from those of another. */
const HASH_LABEL = 'pod-template-hash';

export const deployment = defineDescriber<Deployment>({
  async write(page, object, world) {
    const { metadata, spec = {}, status = {} } = object;
    page.row('Name', metadata.name ?? '');
    page.row('Namespace', metadata.namespace ?? '');
    page.row('CreationTimestamp', longTime(metadata.creationTimestamp));
    writeLabels(page, metadata, world);
    page.row('Selector', selectorText(spec.selector));
    page.row('Replicas', replicaText(object));
    page.row('StrategyType', spec.strategy?.type ?? '');
    page.row('MinReadySeconds', spec.minReadySeconds ?? 0);
    const rolling = spec.strategy?.rollingUpdate;
    if (rolling !== undefined) {
      const { maxUnavailable = 0, maxSurge = 0 } = rolling;
      page.row('RollingUpdateStrategy', `${maxUnavailable} max unavailable, ${maxSurge} max surge`);
    }
    writePodTemplate(page, spec.template, world);
    writeConditions(page, status.conditions, { columns: ['type', 'status', 'reason'], spaced: 1 });
    const sets = await replicaSets(object, world);
    if (sets.length === 0) return;
    const current = sets.find((set) => sameTemplate(set.spec?.template, spec.template));
    page.row('OldReplicaSets', setsText(sets.filter((set) => set !== current)));
    page.row('NewReplicaSet', setsText(current === undefined ? [] : [current]));
  },
});

function replicaText({ spec = {}, status = {} }: Deployment): string {
  return [
    `${spec.replicas ?? 0} desired`,
    `${status.updatedReplicas ?? 0} updated`,
    `${status.replicas ?? 0} total`,
    `${status.availableReplicas ?? 0} available`,
    `${status.unavailableReplicas ?? 0} unavailable`,
  ].join(' | ');
}

/** The replica sets of a deployment, the oldest first; none where they may not be seen. */
async function replicaSets({ metadata, spec }: Deployment, world: World): Promise<ReplicaSet[]> {
  const selection = { namespace: metadata.namespace, labelSelector: selectorText(spec?.selector) };
  const found = await world
    .list<ReplicaSet>({ group: 'apps', kind: 'ReplicaSet' }, selection)
    .catch(() => []);
  return found
    .filter(({ metadata: { ownerReferences = [] } }) =>
      ownerReferences.some(({ controller, uid }) => controller === true && uid === metadata.uid),
    )
    .sort((a, b) => compare(ageKey(a), ageKey(b)));
}

function ageKey({ metadata }: ReplicaSet): string {
  return `${metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sameTemplate(a: PodTemplate = {}, b: PodTemplate = {}): boolean {
  return sameJson(withoutHash(a), withoutHash(b));
}

function withoutHash({ metadata = {}, spec = {} }: PodTemplate): JsonObject {
  const { [HASH_LABEL]: _, ...labels } = metadata.labels ?? {};
  return { metadata: { ...metadata, labels } as unknown as JsonObject, spec: spec as unknown as JsonObject };
}

function setsText(sets: readonly ReplicaSet[]): string {
  const texts = sets.map(({ metadata, spec = {}, status = {} }) => {
    return `${metadata.name ?? ''} (${status.replicas ?? 0}/${spec.replicas ?? 0} replicas created)`;
  });
  return texts.length === 0 ? '<none>' : texts.join(', ');
}
