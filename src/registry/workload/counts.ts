import { invalid } from '../../errors/field-error.ts';
import { numberAt, objectAt } from '../../meta/fields.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';

/** Counts of a status that are part of others: `[part, whole]`. */
export type Parts = readonly (readonly [part: string, whole: string])[];

/** No part of a status's counts is more than its whole, and a count of collisions never falls. */
export function countsCheck(parts: Parts): TypeCheck {
  return function checkCounts(status, at, { old, errors }) {
    for (const [part, whole] of parts) {
      const count = numberAt(status, part);
      if (count > numberAt(status, whole))
        errors.push(invalid(at.child(part), count, `cannot be greater than ${String(at.child(whole))}`));
    }
    const collisions = numberAt(status, 'collisionCount');
    const before = objectAt(old, 'status')?.['collisionCount'];
    if (typeof before === 'number' && collisions < before)
      errors.push(invalid(at.child('collisionCount'), collisions, 'cannot be decremented'));
  };
}

/** Counts of a workload's status: parts of `replicas`, and what is available is ready. */
export function replicaCounts(...parts: readonly string[]): TypeCheck {
  return countsCheck([
    ...[...parts, 'readyReplicas', 'availableReplicas'].map((part) => [part, 'replicas'] as const),
    ['availableReplicas', 'readyReplicas'],
  ]);
}
