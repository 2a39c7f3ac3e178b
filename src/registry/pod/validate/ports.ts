import { duplicate, invalid, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { numberAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { itemsOf, placedIn, type Placed } from './container-lists.ts';

/** No two containers take the same port of the node. */
export function checkHostPorts(containers: readonly Placed[], errors: FieldError[]): void {
  let taken: Set<string> | undefined;
  for (const { container, at } of containers) {
    itemsOf(container['ports']).forEach((port, i) => {
      const hostPort = numberAt(port, 'hostPort');
      if (hostPort === 0) return;
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${hostPort}`;
      taken ??= new Set();
      if (taken.has(key)) errors.push(duplicate(at.child('ports').index(i).child('hostPort'), key));
      taken.add(key);
    });
  }
}

/**
 * On the node's network a container's port is the node's.
 *
 * @param at of the spec. @param always whether one must be said; else it may be left open.
 */
export function checkHostNetwork(
  spec: JsonObject,
  at: FieldPath,
  always: boolean,
  errors: FieldError[],
): void {
  if (spec['hostNetwork'] !== true) return;
  for (const { container, at: path } of placedIn(spec, 'containers', at)) {
    itemsOf(container['ports']).forEach((port, i) => {
      const hostPort = numberAt(port, 'hostPort');
      if ((hostPort === 0 && !always) || hostPort === numberAt(port, 'containerPort')) return;
      const field = path.child('ports').index(i).child('hostPort');
      errors.push(invalid(field, hostPort, 'must be containerPort where hostNetwork is true'));
    });
  }
}
