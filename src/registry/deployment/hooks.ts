import type { JsonObject } from '../../meta/object.ts';
import { objectAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { sameJson } from '../../meta/same-json.ts';
import { defaultPodTemplate } from '../pod/template-defaults.ts';

/** Deployments: the strategy's parameters, and annotations that count as changes. */
export const deploymentHooks: ResourceHooks = {
  defaults(deployment) {
    const spec = objectAt(deployment, 'spec');
    defaultPodTemplate(spec);
    const strategy = objectAt(spec, 'strategy');
    if (strategy?.type === 'RollingUpdate') strategy.rollingUpdate = rollingUpdate(strategy);
  },
  countsAsChange: (deployment, old) =>
    !sameJson(deployment.spec, old.spec) ||
    !sameJson(deployment.metadata.annotations, old.metadata.annotations),
  status: {
    prepareForUpdate(deployment, old) {
      if (old.metadata.labels === undefined) delete deployment.metadata.labels;
      else deployment.metadata.labels = old.metadata.labels;
    },
    resetFields: { 'f:metadata': { 'f:labels': {} } },
  },
};

function rollingUpdate(strategy: JsonObject): JsonObject {
  const { maxUnavailable = '25%', maxSurge = '25%' } = objectAt(strategy, 'rollingUpdate') ?? {};
  return { maxUnavailable, maxSurge };
}
