import { LEAF, SELF, type FieldNode } from './field-node.ts';
import { hasChildren, type FieldSet } from './field-set.ts';
import { membersOf, type OwnershipPlan } from './ownership-plan.ts';
import type { StructType } from '../model.ts';

/**
 * Brings a set into line with what its type has become: who owned parts of something that is atomic now, owns all of it.
 * The other way round there is nothing to do: who owned something atomic keeps it, and nothing inside.
 *
 * @returns the set itself where it fits.
 */
export function fitToType(type: StructType, set: FieldSet): FieldSet {
  return fitMembers(membersOf(type).byElement, set);
}

function fitMembers(members: ReadonlyMap<string, OwnershipPlan>, node: FieldSet): FieldSet {
  let fitted: FieldNode | undefined;
  for (const element in node) {
    const plan = members.get(element);
    if (plan === undefined) continue;
    const child = node[element] as FieldSet;
    const fit = fitNode(plan, child);
    if (fit !== child) (fitted ??= { ...node } as FieldNode)[element] = fit;
  }
  return fitted ?? node;
}

/** The same for items and entries, which are all alike. */
function fitAll(plan: OwnershipPlan, node: FieldSet): FieldSet {
  if (isScalar(plan)) return node;
  let fitted: FieldNode | undefined;
  for (const element in node) {
    const child = node[element] as FieldSet;
    const fit = element === SELF ? child : fitNode(plan, child);
    if (fit !== child) (fitted ??= { ...node } as FieldNode)[element] = fit;
  }
  return fitted ?? node;
}

function fitNode(plan: OwnershipPlan, node: FieldSet): FieldSet {
  switch (plan.kind) {
    case 'atomic':
      return hasChildren(node) ? LEAF : node;
    case 'struct':
      return fitMembers(plan.members().byElement, node);
    case 'map':
      return fitAll(plan.values, node);
    case 'list':
      return fitAll(plan.items, node);
    default:
      return node;
  }
}

function isScalar({ kind }: OwnershipPlan): boolean {
  return kind === 'leaf' || kind === 'untyped' || kind === 'set';
}
