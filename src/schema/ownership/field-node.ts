import type { JsonObject } from '../../meta/object.ts';
import { compareElements, sortInOrder } from './path-element.ts';

/**
 * A set of fields, in the form in which `managedFields[].fieldsV1` holds it: a tree whose keys are path elements. A path
 * is a member when its node is empty or holds `.`; a node with children and without `.` is only on the way to them.
 *
 *     {"f:data": {".": {}, "f:k": {}}}     =  data, data.k
 *
 * So nothing is parsed for sets that stay as they are, which is nearly all of them: managedFields are half of most
 * objects. Sets are immutable: operations return one of their arguments where they can, and share subtrees. Elements are
 * in their one order, so that equal sets are equal texts.
 *
 * Operations walk the first of their sets and look things up in the second: what many managers own is compared with one
 * change in a time that grows with the managers' sets alone, however large the change.
 */
export type FieldSet = Readonly<JsonObject>;

/** The key by which a node says that its own path is a member. */
export const SELF = '.';

/** A node of which the path is a member, and nothing below it. */
export const LEAF: FieldSet = Object.freeze({});

/** A node in the making. */
export type FieldNode = Record<string, FieldSet>;

/** A node with its children in their order: the same one where they are. */
export function sortElements(node: FieldNode): FieldSet {
  const keys = Object.keys(node);
  for (let i = 1; i < keys.length; i++) {
    if (compareElements(keys[i - 1] as string, keys[i] as string) < 0) continue;
    const sorted: FieldNode = {};
    for (const key of sortInOrder(keys)) sorted[key] = node[key] as FieldSet;
    return sorted;
  }
  return node;
}

/** Nodes with fewer children are sorted by insertion, while they are found. */
const FEW = 24;

/** Children of one node, in any order, each once; cheapest in their order. */
export class NodeBuilder {
  readonly #elements: string[] = [];
  readonly #nodes: FieldSet[] = [];
  #sorted = true;

  add(element: string, node: FieldSet): void {
    const elements = this.#elements;
    let at = elements.length;
    if (at < FEW) {
      while (at > 0 && compareElements(elements[at - 1] as string, element) > 0) this.#shift(at--);
    } else if (compareElements(elements[at - 1] as string, element) > 0) this.#sorted = false;
    elements[at] = element;
    this.#nodes[at] = node;
  }

  #shift(to: number): void {
    this.#elements[to] = this.#elements[to - 1] as string;
    this.#nodes[to] = this.#nodes[to - 1] as FieldSet;
  }

  /** @param member whether the node's own path belongs to the set. */
  build(member: boolean): FieldSet {
    const node: FieldNode = member ? { [SELF]: LEAF } : {};
    const elements = this.#elements;
    for (let i = 0; i < elements.length; i++) node[elements[i] as string] = this.#nodes[i] as FieldSet;
    return this.#sorted ? node : sortElements(node);
  }
}

/** A node from its children, if any; undefined when nothing is in it. */
export function buildNode(member: boolean, children: NodeBuilder | undefined): FieldSet | undefined {
  if (children === undefined) return member ? LEAF : undefined;
  return children.build(member);
}
