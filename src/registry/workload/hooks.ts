import type { JsonObject } from '../../meta/object.ts';
import { isObject, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { defaultPodTemplate, defaultRollingUpdate } from '../pod/template-defaults.ts';

/** ReplicaSets: the pod template's defaults. */
export const replicaSetHooks: ResourceHooks = {
  defaults: (object) => defaultPodTemplate(objectAt(object, 'spec')),
};

/** PodTemplates. */
export const podTemplateHooks: ResourceHooks = { defaults: (object) => defaultPodTemplate(object) };

/** StatefulSets: the update strategy's parameters, and the kind of the claims. */
export const statefulSetHooks: ResourceHooks = {
  defaults(object) {
    const spec = objectAt(object, 'spec');
    defaultPodTemplate(spec);
    if (spec !== undefined) defaultStatefulStrategy(spec);
    for (const claim of objectsAt(spec, 'volumeClaimTemplates')) {
      claim.kind = 'PersistentVolumeClaim';
      claim.apiVersion = 'v1';
    }
  },
};

/** Who names a strategy, but none of its parameters, gets none. */
function defaultStatefulStrategy(spec: JsonObject): void {
  const strategy = objectAt(spec, 'updateStrategy') ?? {};
  if (textAt(strategy, 'type') === '') {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  spec.updateStrategy = strategy;
  if (isObject(strategy.rollingUpdate)) defaultRollingUpdate(strategy, { partition: 0 });
}

/** ReplicationControllers: selector and labels are the template's labels, unless they are given. */
export const replicationControllerHooks: ResourceHooks = {
  defaults(object) {
    const spec = objectAt(object, 'spec');
    defaultPodTemplate(spec);
    const labels = templateLabels(spec);
    if (spec === undefined || labels === undefined) return;
    if (sizeOf(spec.selector) === 0) spec.selector = { ...labels };
    if (sizeOf(object.metadata.labels) === 0)
      object.metadata.labels = { ...labels } as Record<string, string>;
  },
};

function templateLabels(spec: JsonObject | undefined): JsonObject | undefined {
  return objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
}
