import type { Json } from '../../meta/object.ts';
import { LEAF, SELF, sortElements, type FieldNode } from './field-node.ts';
import { hasChildren, isEmptySet, unionNodes, type FieldSet } from './field-set.ts';
import { canonicalElement, compareElements, isCanonicalElement } from './path-element.ts';

/**
 * A set from what a client or the store holds.
 *
 * @returns the value itself when it is in canonical form; undefined when it is no set.
 */
export function readFieldSet(value: Json | undefined): FieldSet | undefined {
  if (!isTree(value)) return undefined;
  const set = readNode(value);
  if (set?.[SELF] === undefined) return set;
  // The root is no field.
  const { [SELF]: _, ...fields } = set;
  return fields;
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
