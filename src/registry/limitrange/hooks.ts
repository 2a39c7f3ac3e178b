import type { JsonObject } from '../../meta/object.ts';
import { objectAt, objectsAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import type { ResourceNames } from '../resource-names.ts';
import { limitRangeErrors } from './validate.ts';

/** LimitRanges: a container's default limit is the maximum, its default request the default limit or the minimum. */
export function limitRangeHooks(names: ResourceNames): ResourceHooks {
  return {
    defaults(limitRange) {
      for (const item of objectsAt(objectAt(limitRange, 'spec'), 'limits')) {
        if (item.type !== 'Container') continue;
        fill(item, 'default', objectAt(item, 'max'));
        fill(item, 'defaultRequest', objectAt(item, 'default'));
        fill(item, 'defaultRequest', objectAt(item, 'min'));
      }
    },
    /** The one kind that needs no name, nor the beginning of one. */
    prepareForCreate({ metadata }) {
      if ((metadata.name ?? '') === '') metadata.name = metadata.uid ?? '';
    },
    validate: (limitRange) => limitRangeErrors(objectAt(limitRange, 'spec'), names),
  };
}

/** Takes over what `field` lacks of another list of quantities. */
function fill(item: JsonObject, field: string, from: JsonObject | undefined): void {
  if (from === undefined || Object.keys(from).length === 0) return;
  item[field] = { ...from, ...objectAt(item, field) };
}
