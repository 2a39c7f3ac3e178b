import { objectAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../hooks.ts';
import type { PodSettings } from '../pod/settings.ts';

/** A field that is there only while a feature is on, or where an object had it before. */
interface GatedField {
  readonly gate: string;
  readonly path: readonly [...structs: string[], field: string];
}

/** Of workloads themselves; the templates of their pods have others. */
export const GATED_FIELDS: Readonly<Record<string, readonly GatedField[]>> = {
  'apps.StatefulSet': [
    {
      gate: 'MaxUnavailableStatefulSet',
      path: ['spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable'],
    },
  ],
  'batch.Job': [
    { gate: 'JobBackoffLimitPerIndex', path: ['spec', 'backoffLimitPerIndex'] },
    { gate: 'JobBackoffLimitPerIndex', path: ['spec', 'maxFailedIndexes'] },
    { gate: 'JobManagedBy', path: ['spec', 'managedBy'] },
    { gate: 'JobPodReplacementPolicy', path: ['spec', 'podReplacementPolicy'] },
    { gate: 'JobSuccessPolicy', path: ['spec', 'successPolicy'] },
  ],
};

/** Hooks that drop the fields whose gate is off, before the kind's own. */
export function withGatedFields(
  hooks: ResourceHooks,
  fields: readonly GatedField[],
  { gate }: Pick<PodSettings, 'gate'>,
): ResourceHooks {
  const dropped = fields.filter((field) => !gate(field.gate)).map(({ path }) => path);
  if (dropped.length === 0) return hooks;
  const prepare = (object: ApiObject, old: ApiObject | undefined): void => {
    for (const path of dropped) {
      const field = path.at(-1) ?? '';
      const holder = holderOf(object, path);
      if (old !== undefined && holderOf(old, path)?.[field] !== undefined) continue;
      if (holder?.[field] !== undefined) delete holder[field];
    }
  };
  return {
    ...hooks,
    prepareForCreate(object, context) {
      prepare(object, undefined);
      hooks.prepareForCreate?.(object, context);
    },
    prepareForUpdate(object, old, context) {
      prepare(object, old);
      hooks.prepareForUpdate?.(object, old, context);
    },
  };
}

function holderOf(object: ApiObject, path: readonly string[]): ReturnType<typeof objectAt> {
  let holder: ReturnType<typeof objectAt> = object;
  for (const struct of path.slice(0, -1)) holder = objectAt(holder, struct);
  return holder;
}
