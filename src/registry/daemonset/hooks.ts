import type { ApiObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { objectAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { defaultPodTemplate, defaultRollingUpdate } from '../pod/template-defaults.ts';

/** Counts changes of the template. Older versions had a field for it; clients of that time still look for it. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/** DaemonSets: the update strategy's parameters, and the count of template changes. */
export const daemonSetHooks: ResourceHooks = {
  defaults(daemonSet) {
    const spec = objectAt(daemonSet, 'spec');
    defaultPodTemplate(spec);
    defaultRollingUpdate(objectAt(spec, 'updateStrategy'), { maxUnavailable: 1, maxSurge: 0 });
    if (templateGeneration(daemonSet) === undefined) setTemplateGeneration(daemonSet, 0);
  },
  prepareForCreate: (daemonSet) =>
    setTemplateGeneration(daemonSet, Math.max(templateGeneration(daemonSet) ?? 0, 1)),
  prepareForUpdate(daemonSet, old) {
    const changed = !sameJson(objectAt(daemonSet, 'spec')?.template, objectAt(old, 'spec')?.template);
    setTemplateGeneration(daemonSet, (templateGeneration(old) ?? 0) + (changed ? 1 : 0));
  },
};

function templateGeneration({ metadata }: ApiObject): number | undefined {
  const text = metadata.annotations?.[TEMPLATE_GENERATION] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function setTemplateGeneration({ metadata }: ApiObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}
