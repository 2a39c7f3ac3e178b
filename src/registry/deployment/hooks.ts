import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { isObject, numberAt, objectAt, textAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { labelSelectorOf, type LabelSelector, type Labels } from '../../meta/label-selector.ts';
import { sameJson } from '../../meta/same-json.ts';
import { SelectorError } from '../../meta/selector-error.ts';
import { defaultPodTemplate } from '../pod/template-defaults.ts';

const STRATEGIES = ['Recreate', 'RollingUpdate'];

/** Deployments: the strategy's parameters, a selector that matches the pods and stays as it is. */
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
  validate: validateDeployment,
  validateUpdate(deployment, old) {
    const selector = objectAt(deployment, 'spec')?.selector;
    if (sameJson(selector, objectAt(old, 'spec')?.selector)) return [];
    return [invalid('spec.selector', selector, 'field is immutable')];
  },
  status: {
    prepareForUpdate(deployment, old) {
      if (old.metadata.labels === undefined) delete deployment.metadata.labels;
      else deployment.metadata.labels = old.metadata.labels;
    },
    validateUpdate: (deployment) => validateReplicaStatus(objectAt(deployment, 'status'), UPDATED_FIELDS),
    resetFields: { 'f:metadata': { 'f:labels': {} } },
  },
};

function rollingUpdate(strategy: JsonObject): JsonObject {
  const { maxUnavailable = '25%', maxSurge = '25%' } = objectAt(strategy, 'rollingUpdate') ?? {};
  return { maxUnavailable, maxSurge };
}

function validateDeployment(deployment: ApiObject): FieldError[] {
  const spec = objectAt(deployment, 'spec');
  return [
    ...validateSelector(spec),
    ...validateStrategy(objectAt(spec, 'strategy')),
    ...notNegative(spec, 'spec', ['replicas', 'minReadySeconds', 'revisionHistoryLimit']),
  ];
}

/** A workload selects its own pods: its selector demands something, and the template's labels meet it. */
export function validateSelector(spec: JsonObject | undefined): FieldError[] {
  const sent = spec?.selector;
  if (!isObject(sent)) return [required('spec.selector')];
  let selector: LabelSelector;
  try {
    selector = labelSelectorOf(sent);
  } catch (error) {
    if (error instanceof SelectorError) return [invalid('spec.selector', sent, error.message)];
    throw error;
  }
  if (selector.matchesAll)
    return [invalid('spec.selector', sent, 'an empty selector would select every pod')];
  const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels') ?? {};
  if (selector.matches(labels as Labels)) return [];
  return [
    invalid('spec.template.metadata.labels', labels, '`selector` does not match the labels of the template'),
  ];
}

function validateStrategy(strategy: JsonObject | undefined): FieldError[] {
  const type = textAt(strategy, 'type');
  if (type === 'Recreate' && isObject(strategy?.rollingUpdate)) {
    return [forbidden('spec.strategy.rollingUpdate', "may not be set when the strategy's type is Recreate")];
  }
  return STRATEGIES.includes(type) ? [] : [notSupported('spec.strategy.type', type, STRATEGIES)];
}

/** Counts that can't be below zero. */
export function notNegative(
  struct: JsonObject | undefined,
  path: string,
  fields: readonly string[],
): FieldError[] {
  return fields
    .filter((field) => numberAt(struct, field) < 0)
    .map((field) => invalid(`${path}.${field}`, struct?.[field], 'must be greater than or equal to 0'));
}

const UPDATED_FIELDS = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];

/** Counts of a workload's status are parts of `replicas`. */
function validateReplicaStatus(status: JsonObject | undefined, parts: readonly string[]): FieldError[] {
  const replicas = numberAt(status, 'replicas');
  const tooMany = parts
    .filter((field) => numberAt(status, field) > replicas)
    .map((field) =>
      invalid(`status.${field}`, numberAt(status, field), 'cannot be greater than status.replicas'),
    );
  return [...notNegative(status, 'status', ['replicas', ...parts, 'unavailableReplicas']), ...tooMany];
}
