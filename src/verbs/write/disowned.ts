import { ApiError } from '../../errors/api-error.ts';
import type { ApiObject } from '../../meta/object.ts';
import { ownChanges } from './ownership.ts';
import type { Writing } from './writing.ts';

/**
 * Runs a write; once more without a record of ownership where the store finds the object too large with it: the record
 * may be half of it. Applied configurations are nothing without their record, and stay refused.
 */
export async function orDisowned<T>(writing: Writing, run: (writing: Writing) => Promise<T>): Promise<T> {
  try {
    return await run(writing);
  } catch (error) {
    if (writing.own !== ownChanges || !isTooLarge(error)) throw error;
    return run({ ...writing, own: disown });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'RequestEntityTooLarge';
}

function disown(_writing: Writing, _old: ApiObject | undefined, { metadata }: ApiObject): void {
  delete metadata.managedFields;
}
