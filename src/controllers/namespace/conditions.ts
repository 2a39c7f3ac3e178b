import { setCondition } from '../../meta/conditions.ts';
import { isObject, objectAt, objectsAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { Remains } from './content.ts';

/** What came of emptying a namespace. */
export interface Outcome {
  readonly remains: readonly Remains[];
  /** What could not be deleted, and why. */
  readonly failures: readonly string[];
}

/** A condition of a namespace: how it reads as long as all is well, and what makes it hold. */
interface Rule {
  readonly type: string;
  readonly fine: { readonly reason: string; readonly message: string };
  /** Undefined: all is well. */
  readonly found: (outcome: Outcome) => { readonly reason: string; readonly message: string } | undefined;
}

/** In the order in which a namespace gets them. What is served is known here, so the first two never hold. */
const RULES: readonly Rule[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    fine: { reason: 'ResourcesDiscovered', message: 'it is known what a namespace may hold' },
    found: () => undefined,
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    fine: { reason: 'ParsedGroupVersions', message: 'all versions of what a namespace may hold can be read' },
    found: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    fine: { reason: 'ContentDeleted', message: 'everything was deleted; some of it may wait for finalizers' },
    found({ failures }) {
      if (failures.length === 0) return undefined;
      const list = [...failures].sort().join(', ');
      const message = `${failures.length} resources could not be deleted: ${list}`;
      return { reason: 'ContentDeletionFailed', message };
    },
  },
  {
    type: 'NamespaceContentRemaining',
    fine: { reason: 'ContentRemoved', message: 'nothing is left in the namespace' },
    found({ remains }) {
      if (remains.length === 0) return undefined;
      const list = remains.map((one) => `${one.count} ${nameOf(one)}`);
      return {
        reason: 'SomeResourcesRemain',
        message: `still in the namespace: ${list.sort().join(', ')}`,
      };
    },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    fine: { reason: 'ContentHasNoFinalizers', message: 'nothing waits for finalizers' },
    found({ remains }) {
      const counts = new Map<string, number>();
      for (const { finalizers } of remains) {
        for (const [name, count] of finalizers) counts.set(name, (counts.get(name) ?? 0) + count);
      }
      if (counts.size === 0) return undefined;
      const list = [...counts].map(([name, count]) => `${name} of ${count}`);
      const message = `objects wait for finalizers: ${list.sort().join(', ')}`;
      return { reason: 'SomeFinalizersRemain', message };
    },
  },
];

/**
 * Says in a namespace's conditions what came of emptying it.
 *
 * @param namespace changed in place. @param now as objects carry times. @returns whether anything changed
 */
export function setConditions(namespace: ApiObject, outcome: Outcome, now: string): boolean {
  const conditions = objectsAt(objectAt(namespace, 'status'), 'conditions');
  let changed = false;
  for (const { type, fine, found } of RULES) {
    const problem = found(outcome);
    const next = { type, status: problem === undefined ? 'False' : 'True', ...(problem ?? fine) };
    if (setCondition(conditions, next, now)) changed = true;
  }
  const status = isObject(namespace.status) ? namespace.status : {};
  if (changed) namespace.status = { ...status, conditions };
  return changed;
}

function nameOf({ row: { group, resource } }: Remains): string {
  return group === '' ? resource : `${resource}.${group}`;
}
