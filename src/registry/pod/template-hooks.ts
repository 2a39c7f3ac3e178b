import { FieldPath } from '../../errors/field-path.ts';
import { objectAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../hooks.ts';
import type { DropGatedFields } from './gated-fields.ts';
import type { PodWarnings } from './warnings/warnings.ts';

/** What templates have of pods. */
export interface TemplateParts {
  readonly dropGated: DropGatedFields;
  readonly warningsOf: PodWarnings;
}

/** What holds for the pod templates of any kind, after the kind's own hooks. @param path to the template. */
export function withTemplate(
  hooks: ResourceHooks,
  path: readonly string[],
  { dropGated, warningsOf }: TemplateParts,
): ResourceHooks {
  const at = path.reduce((parent, field) => parent.child(field), FieldPath.ROOT);
  const templateOf = (object: ApiObject): JsonObject | undefined =>
    path.reduce<JsonObject | undefined>(objectAt, object);
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
    warnings(object, old) {
      const own = hooks.warnings?.(object, old) ?? [];
      const template = templateOf(object);
      const isSame = old !== undefined && old.metadata.generation === object.metadata.generation;
      return template === undefined || isSame ? own : [...own, ...warningsOf(template, at)];
    },
  };
}
