import type { CommandContext } from '../context.ts';
import { throwCollected } from '../errors.ts';
import type { ChosenObject, ChosenObjects } from './choose.ts';

/** Does something with each object; an error of one doesn't keep the others back. @throws what went wrong, at the end. */
export async function eachObject(
  { signal }: CommandContext,
  { objects, errors: before }: ChosenObjects,
  work: (object: ChosenObject) => Promise<void>,
): Promise<void> {
  const errors = [...before];
  for (const object of objects) {
    try {
      await work(object);
    } catch (error) {
      if (signal.aborted) throw error;
      errors.push(error);
    }
  }
  throwCollected(errors);
}
