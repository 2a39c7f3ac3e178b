import { LEAF, SELF, sortElements, type FieldNode, type FieldSet } from './field-node.ts';

export type { FieldSet };

/** The set without members. As a tree it looks like a leaf; only as a root does it mean "nothing". */
export const EMPTY_SET: FieldSet = Object.freeze({});

/** Whether a set has no members; of a node, whether it is a leaf. */
export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** The node below a path element, if the set has anything there. */
export function childOf(node: FieldSet, element: string): FieldSet | undefined {
  return node[element] as FieldSet | undefined;
}

/** Whether the path that a node stands for is itself a member. */
export function isMember(node: FieldSet): boolean {
  return node[SELF] !== undefined || isEmptySet(node);
}

/** Whether a node leads to members below its own path. */
export function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== SELF) return true;
  return false;
}

/** Members of either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b;
  if (isEmptySet(b)) return a;
  return unionChildren(a, b);
}

/** Members of any: pair by pair, so that no large set is copied once for each of many small ones. */
export function unionAll(sets: readonly FieldSet[]): FieldSet {
  const [first = EMPTY_SET, second] = sets;
  if (second === undefined) return first;
  const half = sets.length >> 1;
  return union(unionAll(sets.slice(0, half)), unionAll(sets.slice(half)));
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

/** The union of two nodes at one path. */
export function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return isMember(a) ? a : withSelf(a);
  if (isEmptySet(a)) return isMember(b) ? b : withSelf(b);
  return unionChildren(a, b);
}

function withSelf(node: FieldSet): FieldSet {
  return { [SELF]: LEAF, ...node };
}

/** Members of both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return intersectNodes(a, b, false) ?? EMPTY_SET;
}

/** @param member whether the nodes' own path is in both. @returns undefined when nothing is. */
function intersectNodes(a: FieldSet, b: FieldSet, member: boolean): FieldSet | undefined {
  let result: FieldNode | undefined = member ? { [SELF]: LEAF } : undefined;
  let children = 0;
  for (const key in a) {
    const theirs = childOf(b, key);
    if (key === SELF || theirs === undefined) continue;
    const mine = a[key] as FieldSet;
    const common = intersectNodes(mine, theirs, isMember(mine) && isMember(theirs));
    if (common === undefined) continue;
    (result ??= {})[key] = common;
    children++;
  }
  return children === 0 && member ? LEAF : result;
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
  for (const key in a) if (key !== SELF && childOf(b, key) !== undefined) return true;
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
