import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { Placed } from '../validate/container-lists.ts';
import { isFractional } from './fractions.ts';

/** What surrounds a container. */
export interface Around {
  readonly annotations: JsonObject;
  /** Where the annotations are. */
  readonly told: FieldPath;
  readonly prefixes: { readonly seccomp: string; readonly appArmor: string };
  /** Whether its AppArmor profile doesn't depend on the annotation alone. */
  readonly hasProfile: boolean;
}

export function containerWarnings({ container, at }: Placed, around: Around): string[] {
  return [
    ...annotationWarnings(container, around),
    ...resourceWarnings(container, at),
    ...envWarnings(container, at),
  ];
}

function annotationWarnings(container: JsonObject, around: Around): string[] {
  const { annotations, told, prefixes, hasProfile } = around;
  const context = objectAt(container, 'securityContext');
  const name = textAt(container, 'name');
  const found: string[] = [];
  if (context?.['seccompProfile'] == null && annotations[prefixes.seccomp + name] !== undefined)
    found.push(
      `${String(told.key(prefixes.seccomp + name))}: non-functional in v1.27+; use the "seccompProfile" field instead`,
    );
  const hasAppArmor = hasProfile || context?.['appArmorProfile'] != null;
  if (!hasAppArmor && annotations[prefixes.appArmor + name] !== undefined)
    found.push(appArmorWarning(prefixes.appArmor + name, told));
  return found;
}

/** @param at of the annotations. */
export function appArmorWarning(key: string, at: FieldPath): string {
  return `${String(at.key(key))}: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

const LISTS = ['limits', 'requests'] as const;
const BYTES = ['memory', 'ephemeral-storage'] as const;

function resourceWarnings(container: JsonObject, at: FieldPath): string[] {
  const found: string[] = [];
  const resources = objectAt(container, 'resources');
  if (resources === undefined) return found;
  for (const name of BYTES) {
    for (const list of LISTS) {
      const amount = textAt(objectAt(resources, list), name);
      if (isFractional(amount))
        found.push(
          `${String(at.child('resources').child(list).key(name))}: a fraction of a byte: "${amount}"`,
        );
    }
  }
  return found;
}

/** A variable that is defined again without use of what it was. */
function envWarnings(container: JsonObject, at: FieldPath): string[] {
  const variables = objectsAt(container, 'env');
  if (variables.length < 2) return [];
  const seen = new Set<string>();
  return variables.flatMap((variable, i) => {
    const name = textAt(variable, 'name');
    const reference = `$(${name})`;
    const value = textAt(variable, 'value');
    const uses = variable['valueFrom'] == null && value !== reference && value.includes(reference);
    const hides = seen.has(name) && !uses;
    seen.add(name);
    if (!hides) return [];
    return [
      `${String(at.child('env').index(i))}: hides the definition of "${name}" before it, which apply may drop`,
    ];
  });
}
