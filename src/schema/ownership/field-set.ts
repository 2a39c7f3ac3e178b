import type { Json, JsonObject } from '../../meta/object.ts';
import { canonicalElement, compareElements, isCanonicalElement } from './path-element.ts';

/**
 * A set of fields, in the form in which `managedFields[].fieldsV1` holds it: a tree whose keys are path elements. A path
 * is a member when its node is empty or holds `.`; a node with children and without `.` is only on the way to them.
 *
 *     {"f:data": {".": {}, "f:k": {}}}     =  data, data.k
 *
 * So nothing is parsed for sets that stay as they are, which is nearly all of them: managedFields are half of most
 * objects. Sets are immutable: operations return one of their arguments where they can, and share subtrees. Elements are
 * in their one order, so that equal sets are equal texts.
 */
export type FieldSet = Readonly<JsonObject>;

const SELF = '.';
const LEAF: FieldSet = Object.freeze({});
/** The set without members. As a tree it looks like {@link LEAF}; only as a root does it mean "nothing". */
export const EMPTY_SET: FieldSet = Object.freeze({});

/** A node in the making. */
export type FieldNode = Record<string, FieldSet>;

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/**
 * A set from what a client or the store holds.
 *
 * @returns the value itself when it is in canonical form; undefined when it is no set.
 */
export function readFieldSet(value: Json | undefined): FieldSet | undefined {
  if (!isTree(value)) return undefined;
  return readNode(value);
}

function isTree(value: Json | undefined): value is FieldSet {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readNode(tree: FieldSet): FieldSet | undefined {
  if (isCanonical(tree)) return tree;
  const node: FieldNode = {};
  for (const key in tree) {
    if (key === SELF) {
      node[SELF] = LEAF;
      continue;
    }
    const element = canonicalElement(key);
    const value = tree[key] ?? LEAF;
    const child = element === undefined || !isTree(value) ? undefined : readNode(value);
    if (element === undefined || child === undefined) return undefined;
    if (element === null) continue;
    const same = node[element];
    node[element] = same === undefined ? child : unionNodes(same, child);
  }
  // `.` alone is what an empty node means.
  return hasChildren(node) ? sortElements(node) : LEAF;
}

function isCanonical(tree: FieldSet): boolean {
  let previous = '';
  for (const key in tree) {
    const child = tree[key];
    if (!isTree(child) || !isCanonical(child)) return false;
    if (key === SELF ? previous !== '' || !isEmptySet(child) : !isCanonicalElement(key)) return false;
    if (previous !== '' && compareElements(previous, key) >= 0) return false;
    previous = key;
  }
  return previous !== SELF;
}

function hasChildren(node: FieldSet): boolean {
  for (const key in node) if (key !== SELF) return true;
  return false;
}

function childOf(node: FieldSet, key: string): FieldSet | undefined {
  return node[key] as FieldSet | undefined;
}

/** Whether the path that a node stands for is itself a member. */
function isMember(node: FieldSet): boolean {
  return node[SELF] !== undefined || isEmptySet(node);
}

/** A node from its children; undefined when nothing is in it. */
export function makeNode(member: boolean, children: FieldNode | undefined): FieldSet | undefined {
  if (children === undefined || isEmptySet(children)) return member ? LEAF : undefined;
  if (member) children[SELF] = LEAF;
  return sortElements(children);
}

function sortElements(node: FieldNode): FieldSet {
  const keys = Object.keys(node);
  for (let i = 1; i < keys.length; i++) {
    if (compareElements(keys[i - 1] as string, keys[i] as string) < 0) continue;
    const sorted: FieldNode = {};
    for (const key of keys.sort(compareElements)) sorted[key] = node[key] as FieldSet;
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

/** Members of either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b;
  if (isEmptySet(b)) return a;
  return unionChildren(a, b);
}

function unionChildren(a: FieldSet, b: FieldSet): FieldSet {
  let result: FieldNode | undefined;
  for (const key in b) {
    const mine = childOf(a, key);
    const theirs = b[key] as FieldSet;
    const merged = mine === undefined ? theirs : unionNodes(mine, theirs);
    if (merged === mine) continue;
    result ??= { ...a } as FieldNode;
    result[key] = merged;
  }
  return result === undefined ? a : sortElements(result);
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return isMember(a) ? a : withSelf(a);
  if (isEmptySet(a)) return isMember(b) ? b : withSelf(b);
  return unionChildren(a, b);
}

function withSelf(node: FieldSet): FieldSet {
  return sortElements({ ...node, [SELF]: LEAF });
}

/** Members of both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return intersectChildren(a, b) ?? EMPTY_SET;
}

function intersectChildren(a: FieldSet, b: FieldSet): FieldNode | undefined {
  let result: FieldNode | undefined;
  for (const key in a) {
    const theirs = childOf(b, key);
    if (key === SELF || theirs === undefined) continue;
    const mine = a[key] as FieldSet;
    const common = makeNode(isMember(mine) && isMember(theirs), intersectChildren(mine, theirs));
    if (common !== undefined) (result ??= {})[key] = common;
  }
  return result;
}

/** Members of `a` that are none of `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(b) ? a : (differenceChildren(a, b, NOT_BELOW) ?? EMPTY_SET);
}

/** Members of `a` that neither are members of `b` nor lie below one. */
export function differenceBelow(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(b) ? a : (differenceChildren(a, b, BELOW) ?? EMPTY_SET);
}

const BELOW = true;
const NOT_BELOW = false;

function differenceChildren(a: FieldSet, b: FieldSet, below: boolean): FieldSet | undefined {
  return haveCommonChild(a, b) ? copyDifference(a, b, { below, member: false }) : a;
}

function haveCommonChild(a: FieldSet, b: FieldSet): boolean {
  for (const key in b) if (key !== SELF && childOf(a, key) !== undefined) return true;
  return false;
}

function differenceNodes(a: FieldSet, b: FieldSet, below: boolean): FieldSet | undefined {
  const wasMember = isMember(a);
  const member = wasMember && !isMember(b);
  if (member === wasMember && !haveCommonChild(a, b)) return a;
  return copyDifference(a, b, { below, member });
}

/** @returns `a` itself when nothing was taken from it; undefined when nothing is left. */
function copyDifference(
  a: FieldSet,
  b: FieldSet,
  { below, member }: { readonly below: boolean; readonly member: boolean },
): FieldSet | undefined {
  const result: FieldNode = member ? { [SELF]: LEAF } : {};
  let changed = member !== isMember(a);
  let children = 0;
  for (const key in a) {
    if (key === SELF) continue;
    const mine = a[key] as FieldSet;
    const theirs = childOf(b, key);
    let rest: FieldSet | undefined = mine;
    if (theirs !== undefined)
      rest = below && isMember(theirs) ? undefined : differenceNodes(mine, theirs, below);
    changed ||= rest !== mine;
    if (rest === undefined) continue;
    result[key] = rest;
    children++;
  }
  if (!changed) return a;
  if (children === 0) return member ? LEAF : undefined;
  return result;
}

/** Whether two sets have the same members. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  let count = 0;
  for (const key in a) {
    count++;
    const theirs = childOf(b, key);
    if (theirs === undefined || !equalSets(a[key] as FieldSet, theirs)) return false;
  }
  for (const _ in b) count--;
  return count === 0;
}

/** Collects paths; for sets that are made by hand. */
export class FieldSetBuilder {
  #set: FieldSet = EMPTY_SET;

  /** @param path elements from the root. */
  add(path: readonly string[]): void {
    let node: FieldSet = LEAF;
    for (const element of path.toReversed()) node = { [element]: node };
    if (path.length > 0) this.#set = union(this.#set, node);
  }

  build(): FieldSet {
    return this.#set;
  }
}
