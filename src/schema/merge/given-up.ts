import { LEAF, SELF, type FieldNode } from '../ownership/field-node.ts';
import { childOf, EMPTY_SET, hasChildren, isMember, type FieldSet } from '../ownership/field-set.ts';
import { FREE_FORM, planOfType, type OwnershipPlan } from '../ownership/ownership-plan.ts';
import type { StructType } from '../model.ts';

/**
 * What goes with a manager that gives fields up: those of its last configuration that nobody owns now, and those inside
 * of something that nobody owns. A struct is owned by whoever owns anything in it, items of lists and entries of maps
 * only by those who own them themselves: when the last of these goes, it goes with all that others own inside.
 *
 * @param last what the manager owned. @param owned what anyone owns now, the manager included.
 */
export function givenUp(type: StructType, last: FieldSet, owned: FieldSet): FieldSet {
  return givenUpBelow(planOfType(type), { last, owned, lost: false }) ?? EMPTY_SET;
}

/** A place in both sets. */
interface Place {
  readonly last: FieldSet;
  readonly owned: FieldSet | undefined;
  /** Whether it is inside of something that nobody owns. */
  readonly lost: boolean;
}

function givenUpBelow(plan: OwnershipPlan, { last, owned, lost }: Place): FieldSet | undefined {
  let found: FieldNode | undefined;
  for (const element in last) {
    if (element === SELF) continue;
    const inner = planBelow(plan, element);
    const isNamed = plan.kind === 'struct' && inner !== undefined;
    const mine = last[element] as FieldSet;
    const theirs = owned === undefined ? undefined : childOf(owned, element);
    const isOwned = theirs !== undefined && (isNamed || isMember(theirs));
    const isLost = lost || !isOwned;
    const rest =
      isLost && (isNamed || isMember(mine))
        ? LEAF
        : inner === undefined || !hasChildren(mine)
          ? undefined
          : givenUpBelow(inner, { last: mine, owned: theirs, lost: isLost });
    if (rest !== undefined) (found ??= {})[element] = rest;
  }
  return found;
}

/** Fields that nobody owns: a struct is owned by whoever owns anything in it. */
export function unowned(type: StructType, fields: FieldSet, owned: FieldSet): FieldSet {
  return unownedBelow(planOfType(type), fields, owned) ?? EMPTY_SET;
}

function unownedBelow(plan: OwnershipPlan, fields: FieldSet, owned: FieldSet): FieldSet | undefined {
  let found: FieldNode | undefined;
  for (const element in fields) {
    if (element === SELF) continue;
    const node = fields[element] as FieldSet;
    const theirs = childOf(owned, element);
    const inner = planBelow(plan, element);
    const isOwned = theirs !== undefined && (plan.kind === 'struct' || isMember(theirs));
    const rest =
      !isOwned && isMember(node)
        ? LEAF
        : inner === undefined || !hasChildren(node)
          ? undefined
          : unownedBelow(inner, node, theirs ?? EMPTY_SET);
    if (rest !== undefined) (found ??= {})[element] = rest;
  }
  return found;
}

/** How what is below a path element is owned. */
export function planBelow(plan: OwnershipPlan, element: string): OwnershipPlan | undefined {
  switch (plan.kind) {
    case 'struct':
      return plan.members().byElement.get(element);
    case 'map':
      return plan.values;
    case 'list':
      return plan.items;
    case 'untyped':
      return FREE_FORM.values;
    default:
      return undefined;
  }
}
