import type { JsonObject } from '../../meta/object.ts';
import { isObject, objectAt, objectsAt } from '../../meta/fields.ts';

/** A device's capacities are plain quantities in v1alpha3 and structs with a `value` in v1beta1. */
export function convertResourceSlice(slice: JsonObject, toVersion: string): void {
  for (const device of objectsAt(objectAt(slice, 'spec'), 'devices')) {
    const capacity = objectAt(objectAt(device, 'basic'), 'capacity');
    if (capacity === undefined) continue;
    for (const [name, value] of Object.entries(capacity)) {
      if (toVersion === 'v1alpha3') capacity[name] = isObject(value) ? value.value : value;
      else if (!isObject(value)) capacity[name] = { value };
    }
  }
}
