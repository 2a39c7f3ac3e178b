import type { Json, JsonObject } from '../../meta/object.ts';
import type { StructType } from '../model.ts';
import { buildNode, LEAF, NodeBuilder } from './field-node.ts';
import { EMPTY_SET, type FieldSet } from './field-set.ts';
import { keyedItems, setItems } from './list-items.ts';
import { FREE_FORM, membersOf, type Members, type OwnershipPlan } from './ownership-plan.ts';

/**
 * The set of fields that an object has: values, the entries of maps and the items of lists, but not the structs that
 * only lead to them. What an applied object asks to own.
 *
 * @param object in the form of its type; need not have defaults.
 */
export function fieldsOf(type: StructType, object: JsonObject): FieldSet {
  return buildNode(false, membersIn(membersOf(type), object)) ?? EMPTY_SET;
}

/** What is below a value, and whether the value counts by itself. */
function nodeOf(plan: OwnershipPlan, value: Json, isNamed: boolean): FieldSet | undefined {
  if (plan.kind === 'leaf' || plan.kind === 'atomic' || typeof value !== 'object') return LEAF;
  if (value === null) return isNamed || plan.kind === 'set' || plan.kind === 'list' ? LEAF : undefined;
  switch (plan.kind) {
    case 'struct':
      return objectNode(isNamed, value as JsonObject, membersIn(plan.members(), value as JsonObject));
    case 'map':
      return objectNode(isNamed, value as JsonObject, entriesIn(plan.values, value as JsonObject));
    case 'untyped':
      return Array.isArray(value) ? LEAF : objectNode(isNamed, value, entriesIn(FREE_FORM.values, value));
    case 'set':
      return buildNode(!isNamed, leaves(setItems(value as Json[]).keys()));
    case 'list':
      return buildNode(!isNamed, itemsIn(plan, value as Json[]));
  }
}

function objectNode(
  isNamed: boolean,
  value: JsonObject,
  children: NodeBuilder | undefined,
): FieldSet | undefined {
  return buildNode(!isNamed || isEmpty(value), children);
}

function membersIn(members: Members, object: JsonObject): NodeBuilder | undefined {
  let node: NodeBuilder | undefined;
  for (const name in object) {
    const value = object[name];
    const member = members.byName.get(name);
    if (value === undefined || member === undefined) continue;
    const child = nodeOf(member.plan, value, true);
    if (child !== undefined) (node ??= new NodeBuilder()).add(member.element, child);
  }
  return node;
}

function entriesIn(values: OwnershipPlan, map: JsonObject): NodeBuilder | undefined {
  let node: NodeBuilder | undefined;
  for (const key in map) {
    const child = nodeOf(values, map[key] ?? null, false);
    (node ??= new NodeBuilder()).add(`f:${key}`, child ?? LEAF);
  }
  return node;
}

function itemsIn(plan: OwnershipPlan & { kind: 'list' }, list: readonly Json[]): NodeBuilder | undefined {
  let node: NodeBuilder | undefined;
  for (const [element, [first = null, ...more]] of keyedItems(list, plan.keys)) {
    // Items that can't be told apart are owned together.
    const child = more.length > 0 ? LEAF : nodeOf(plan.items, first, false);
    (node ??= new NodeBuilder()).add(element, child ?? LEAF);
  }
  return node;
}

function leaves(elements: Iterable<string>): NodeBuilder | undefined {
  let node: NodeBuilder | undefined;
  for (const element of elements) (node ??= new NodeBuilder()).add(element, LEAF);
  return node;
}

function isEmpty(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}
