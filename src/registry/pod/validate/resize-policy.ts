import { duplicate, invalid, notSupported, required, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { itemsOf } from './container-lists.ts';

const RESOURCES = ['cpu', 'memory'];
const POLICIES = ['NotRequired', 'RestartContainer'];

/** Whether a container is restarted when its resources change. @param at of the container. */
export function checkResizePolicy(
  container: JsonObject,
  at: FieldPath,
  neverRestarts: boolean,
  errors: FieldError[],
): void {
  const policies = itemsOf(container['resizePolicy']);
  if (policies.length === 0) return;
  const path = at.child('resizePolicy');
  const seen = new Set<string>();
  policies.forEach((policy, i) => {
    const resource = textAt(policy, 'resourceName');
    const restart = textAt(policy, 'restartPolicy');
    if (seen.has(resource)) errors.push(duplicate(path.index(i), resource));
    seen.add(resource);
    checkOneOf(resource, RESOURCES, path, errors);
    checkOneOf(restart, POLICIES, path, errors);
    if (neverRestarts && restart !== 'NotRequired')
      errors.push(invalid(path, restart, 'must be NotRequired where restartPolicy is Never'));
  });
}

function checkOneOf(value: string, supported: readonly string[], at: FieldPath, errors: FieldError[]): void {
  if (value === '') errors.push(required(at));
  else if (!supported.includes(value)) errors.push(notSupported(at, value, supported));
}
