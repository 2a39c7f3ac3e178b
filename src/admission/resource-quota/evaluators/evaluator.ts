import type { AdmissionRequest } from '../../admission.ts';
import type { ApiObject } from '../../../meta/object.ts';
import type { Quantity } from '../../../meta/quantity.ts';
import type { ResourceList } from '../../../meta/resource-list.ts';
import type { ScopeRequirement } from '../scopes.ts';

/** Knows what the objects of one resource use of what quotas limit. */
export interface QuotaEvaluator {
  /** Whether such a request can use more. */
  handles(request: Pick<AdmissionRequest, 'operation' | 'subresource'>): boolean;
  /** Whether an amount of that name has to do with the resource. */
  measures(name: string): boolean;
  /** What an object uses; names that no quota limits may be among it. @param now milliseconds since 1970 */
  usage(object: ApiObject, now: number): ResourceList;
  /** What each object uses, where all use the same. */
  readonly perObject?: ResourceList;
  /** Whether an object counts in a scope. Absent: quotas with scopes have nothing to do with the resource. */
  isInScope?(object: ApiObject, requirement: ScopeRequirement): boolean;
  /** What an object must say where quotas limit `names`. @returns what is wrong, if anything */
  problem?(object: ApiObject, names: readonly string[]): string | undefined;
}

export const ONE: Quantity = { unscaled: 1n, exponent: 0, format: 'decimal' };

export function count(objects: number): Quantity {
  return { unscaled: BigInt(objects), exponent: 0, format: 'decimal' };
}

/** The name by which quotas limit how many objects of a resource there are: `count/deployments.apps`. */
export function countName({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

/** Counts objects, and nothing about them. */
export function objectCount(names: readonly string[]): QuotaEvaluator {
  const usage: ResourceList = new Map(names.map((name) => [name, ONE]));
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    measures: (name) => usage.has(name),
    usage: () => usage,
    perObject: usage,
  };
}

/** Requests that make or change an object as a whole. */
export function writesObject({
  operation,
  subresource,
}: Pick<AdmissionRequest, 'operation' | 'subresource'>): boolean {
  return subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
}
