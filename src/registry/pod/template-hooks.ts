import { objectAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../hooks.ts';
import type { DropGatedFields } from './gated-fields.ts';

/** Where a kind has its pod template. */
export type TemplateOf = (object: ApiObject) => JsonObject | undefined;

/** `spec.template`, as most kinds have it. */
export const specTemplate: TemplateOf = (object) => objectAt(objectAt(object, 'spec'), 'template');

/** What holds for the pod templates of any kind, after the kind's own hooks. */
export function withTemplate(
  hooks: ResourceHooks,
  { templateOf, dropGated }: { readonly templateOf: TemplateOf; readonly dropGated: DropGatedFields },
): ResourceHooks {
  const prepare = (object: ApiObject, old: ApiObject | undefined): void => {
    const spec = objectAt(templateOf(object), 'spec');
    if (spec !== undefined) dropGated(spec, old && objectAt(templateOf(old), 'spec'));
  };
  return {
    ...hooks,
    prepareForCreate(object, context) {
      hooks.prepareForCreate?.(object, context);
      prepare(object, undefined);
    },
    prepareForUpdate(object, old, context) {
      hooks.prepareForUpdate?.(object, old, context);
      prepare(object, old);
    },
  };
}
