import { isObject, type Json, type JsonObject } from '../../../../meta/object.ts';
import { ownMember, setOwn } from '../../../../schema/patch/directives.ts';

/** A field of some kinds; absent parts match anything. */
export interface FieldSpec {
  /** Names between slashes, `\/` a slash in a name; lists on the way are gone through. A name with `[]` must be a list. */
  readonly path: string;
  readonly kind?: string;
  readonly group?: string;
  readonly version?: string;
  /** Whether the field is made where it is absent. */
  readonly create?: boolean;
}

/** Changes a value; undefined where there was none. */
export type Edit = (value: Json | undefined) => Json;

/**
 * Changes a field wherever its path leads.
 *
 * @throws Error where something that is neither object nor list stands on the way.
 */
export function editField(object: JsonObject, { path, create = false }: FieldSpec, edit: Edit): void {
  const steps = path.split(/(?<!\\)\//).map((step) => step.replaceAll('\\/', '/'));
  walk(object, steps, { create, edit, path });
}

interface Walk {
  readonly path: string;
  readonly create: boolean;
  readonly edit: Edit;
}

function walk(node: Json, steps: readonly string[], how: Walk): void {
  if (node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) walk(item, steps, how);
    return;
  }
  if (!isObject(node)) throw new Error(`${how.path}: an object or a list is expected on the way`);
  const [step = '', ...rest] = steps;
  const name = step.endsWith('[]') ? step.slice(0, -2) : step;
  const create = how.create && name === step;
  const value = ownMember(node, name);
  if ((value === undefined || value === null) && !create) return;
  if (rest.length === 0) setOwn(node, name, how.edit(value ?? undefined));
  else {
    const inner = value ?? {};
    if (inner !== value) setOwn(node, name, inner);
    walk(inner, rest, how);
  }
}
