import { isObject, type ApiObject, type Json } from '../../../meta/object.ts';
import { applyJsonPatch } from '../../../schema/patch/json-patch.ts';
import { mergePatch } from '../../../schema/patch/merge-patch.ts';
import { CtlError } from '../errors.ts';
import { defineFlags } from '../flags/flag.ts';

/** How the fields that no flag names are set. */
export const OVERRIDE_FLAGS = defineFlags({
  overrides: { type: 'text', help: 'Further fields of the object, as JSON.' },
  'override-type': {
    type: 'text',
    default: 'merge',
    choices: ['merge', 'json'],
    help: 'How --overrides are applied: merge, or json for a list of operations.',
  },
});

export interface OverrideChoice {
  readonly overrides: string | undefined;
  readonly 'override-type': string;
}

/** The object as overrides change it. @throws CtlError for overrides that are none. */
export function withOverrides(object: ApiObject, { overrides = '', ...choice }: OverrideChoice): ApiObject {
  if (overrides === '') return object;
  let changed: Json;
  try {
    const patch = JSON.parse(overrides) as Json;
    changed = choice['override-type'] === 'json' ? operated(object, patch) : mergePatch(object, patch);
  } catch (cause) {
    throw new CtlError(
      `--overrides can't be applied: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        hint: 'They are a JSON object, or with --override-type=json a list of operations.',
        cause,
      },
    );
  }
  if (!isObject(changed)) throw new CtlError('--overrides must leave an object');
  return changed as ApiObject;
}

function operated(object: ApiObject, operations: Json): Json {
  if (!Array.isArray(operations)) throw new CtlError('a list of operations is needed');
  return applyJsonPatch(object, operations);
}
