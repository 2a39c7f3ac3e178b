import type { JsonObject } from '../../meta/object.ts';

/**
 * A set of fields, in the form in which `managedFields[].fieldsV1` holds it: a tree whose keys are path elements
 * (`f:<field>`, `k:<key fields of a list item as JSON>`, `v:<value of a set's item as JSON>`). A path is a member when its
 * node is empty or holds `.`; a node with children and without `.` is only on the way to them.
 *
 *     {"f:data": {".": {}, "f:k": {}}}     =  data, data.k
 *
 * Sets are immutable: operations return one of their arguments where they can, and share subtrees.
 */
export type FieldSet = Readonly<JsonObject>;

const SELF = '.';
const LEAF: FieldSet = Object.freeze({});
/** The set without members. As a tree it looks like {@link LEAF}; only as a root does it mean "nothing". */
export const EMPTY_SET: FieldSet = Object.freeze({});

type Node = Record<string, FieldSet>;

function childOf(node: FieldSet, key: string): FieldSet | undefined {
  return Object.hasOwn(node, key) ? (node[key] as FieldSet) : undefined;
}

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether the path that a node stands for is itself a member. */
function isMember(node: FieldSet): boolean {
  return isEmptySet(node) || Object.hasOwn(node, SELF);
}

/** A node from its parts; undefined when nothing is in it. */
function makeNode(member: boolean, children: Node): FieldSet | undefined {
  if (isEmptySet(children)) return member ? LEAF : undefined;
  return sortKeys(member ? { ...children, [SELF]: LEAF } : children);
}

/** One order for equal sets, so that equal sets are equal texts. */
function sortKeys(node: Node): FieldSet {
  const keys = Object.keys(node);
  let sorted = true;
  for (let i = 1; i < keys.length && sorted; i++) sorted = (keys[i - 1] as string) < (keys[i] as string);
  if (sorted) return node;
  return Object.fromEntries(keys.sort().map((key) => [key, node[key] as FieldSet]));
}

/** Members of either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b;
  if (isEmptySet(b)) return a;
  return unionChildren(a, b);
}

function unionChildren(a: FieldSet, b: FieldSet): FieldSet {
  let result: Node | undefined;
  for (const key of Object.keys(b)) {
    const mine = childOf(a, key);
    const theirs = b[key] as FieldSet;
    const merged = mine === undefined ? theirs : unionNodes(mine, theirs);
    if (merged === mine) continue;
    result ??= { ...a } as Node;
    result[key] = merged;
  }
  return result === undefined ? a : sortKeys(result);
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return isMember(a) ? a : sortKeys({ ...a, [SELF]: LEAF });
  if (isEmptySet(a)) return isMember(b) ? b : sortKeys({ ...b, [SELF]: LEAF });
  return unionChildren(a, b);
}

/** Members of `a` that are none of `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a;
  return differenceChildren(a, b, false) ?? EMPTY_SET;
}

/** Members of `a` that neither are members of `b` nor lie below one. */
export function differenceBelow(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a;
  return differenceChildren(a, b, true) ?? EMPTY_SET;
}

function differenceChildren(a: FieldSet, b: FieldSet, below: boolean): FieldSet | undefined {
  let result: Node | undefined;
  for (const key of Object.keys(a)) {
    if (key === SELF) continue;
    const theirs = childOf(b, key);
    if (theirs === undefined) continue;
    const mine = a[key] as FieldSet;
    const rest = below && isMember(theirs) ? undefined : differenceNodes(mine, theirs, below);
    if (rest === mine) continue;
    result ??= { ...a } as Node;
    if (rest === undefined) delete result[key];
    else result[key] = rest;
  }
  return result === undefined ? a : isEmptySet(result) ? undefined : result;
}

function differenceNodes(a: FieldSet, b: FieldSet, below: boolean): FieldSet | undefined {
  const member = isMember(a) && !isMember(b);
  if (isEmptySet(a)) return member ? a : undefined;
  if (isEmptySet(b)) return member === isMember(a) ? a : makeNode(member, withoutSelf(a));
  const children = differenceChildren(a, b, below);
  if (children === a && member === isMember(a)) return a;
  return makeNode(member, withoutSelf(children ?? EMPTY_SET));
}

function withoutSelf(node: FieldSet): Node {
  const { [SELF]: _, ...children } = node as Node;
  return children;
}

/** Collects members; what comes out is a {@link FieldSet}. */
export class FieldSetBuilder {
  #root: BuilderNode | undefined;

  /** @param path elements from the root. */
  add(path: readonly string[]): void {
    let node = (this.#root ??= { member: false, children: undefined });
    for (const element of path) {
      node.children ??= new Map();
      let child = node.children.get(element);
      if (child === undefined) {
        child = { member: false, children: undefined };
        node.children.set(element, child);
      }
      node = child;
    }
    node.member = true;
  }

  get isEmpty(): boolean {
    return this.#root === undefined;
  }

  build(): FieldSet {
    return this.#root === undefined ? EMPTY_SET : buildNode({ ...this.#root, member: false });
  }
}

interface BuilderNode {
  member: boolean;
  children: Map<string, BuilderNode> | undefined;
}

function buildNode({ member, children }: BuilderNode): FieldSet {
  if (children === undefined) return LEAF;
  const node: Node = {};
  if (member) node[SELF] = LEAF;
  for (const [key, child] of children) node[key] = buildNode(child);
  return sortKeys(node);
}
