import { ApiError, type StatusCause } from '../errors/api-error.ts';
import { MAX_CAUSES, MAX_NAMED } from '../errors/field-error.ts';
import type { ManagedFieldsEntry } from '../meta/object.ts';
import type { OwnershipConflict } from '../schema/merge/apply-configuration.ts';
import { isMember, type FieldSet } from '../schema/ownership/field-set.ts';
import { SELF } from '../schema/ownership/field-node.ts';
import { describeElement } from '../schema/ownership/path-element.ts';

/** 409 with one cause for each field and manager whose fields a configuration would change. */
export function applyConflictError(conflicts: readonly OwnershipConflict[]): ApiError {
  const causes: StatusCause[] = [];
  const lines: string[] = [];
  for (const { owner, fields } of conflicts) {
    const who = describeManager(owner);
    lines.push(`conflicts with ${who}:`);
    for (const field of pathsOf(fields)) {
      if (causes.length === MAX_CAUSES) break;
      causes.push({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field });
      if (causes.length <= MAX_NAMED) lines.push(`- ${field}`);
    }
  }
  const [only] = causes;
  const text =
    causes.length === 1 && only !== undefined
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
  return new ApiError('Conflict', text, { details: { causes } });
}

function describeManager({ manager, operation, apiVersion, subresource = '' }: ManagedFieldsEntry): string {
  const where = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(manager ?? '')}${where}${version}`;
}

/** The paths of a set, each as `.spec.ports[port=80].name`. */
function* pathsOf(set: FieldSet, above = ''): Generator<string> {
  for (const element in set) {
    if (element === SELF) continue;
    const node = set[element] as FieldSet;
    const path = above + describeElement(element);
    if (isMember(node)) yield path;
    yield* pathsOf(node, path);
  }
}
