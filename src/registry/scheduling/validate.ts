import { forbidden, notSupported, required } from '../../errors/field-error.ts';
import { numberAt } from '../../meta/fields.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';

/** The highest that is no class of the system's own. */
const HIGHEST = 1_000_000_000;
/** Classes of the system, with their values. */
export const SYSTEM_CLASSES: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);
const SYSTEM_PREFIX = 'system-';
const PREEMPTION_POLICIES = ['Never', 'PreemptLowerPriority'];

/** PriorityClasses: values are bounded and stay, and the system's are as they are. */
export const priorityClass: TypeCheck = (object, at, { root, old, errors }) => {
  const name = root.metadata.name ?? '';
  const value = numberAt(object, 'value');
  if (old !== undefined) {
    if (value !== numberAt(old, 'value')) errors.push(forbidden(at.child('value'), 'may not be changed'));
    return;
  }
  if (name.startsWith(SYSTEM_PREFIX)) {
    if (SYSTEM_CLASSES.get(name) !== value || object['globalDefault'] === true)
      errors.push(
        forbidden(at.child('metadata').child('name'), `names with ${SYSTEM_PREFIX} are the system's own`),
      );
  } else if (value > HIGHEST) errors.push(forbidden(at.child('value'), `must be no more than ${HIGHEST}`));
  const { preemptionPolicy: policy } = object;
  const path = at.child('preemptionPolicy');
  if (policy === '') errors.push(required(path));
  else if (typeof policy === 'string' && !PREEMPTION_POLICIES.includes(policy))
    errors.push(notSupported(path, policy, PREEMPTION_POLICIES));
};
