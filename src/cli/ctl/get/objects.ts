import { isNotFound, throwCollected } from '../errors.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { listOf } from '../print/clean.ts';
import type { Printer } from '../print/printer.ts';
import { sortBy } from '../print/sort-by.ts';
import { isList, itemsOf, readPages } from '../resources/read-objects.ts';
import type { GetRequest } from './request.ts';

/**
 * Shows targets as objects: one by its name as itself, everything else in a List.
 *
 * @throws what went wrong with some of them, when the others are shown.
 */
export async function getObjects(request: GetRequest, printer: Printer): Promise<void> {
  const { named, read, ignoreNotFound, context } = request;
  const errors: unknown[] = [];
  const found: JsonObject[] = [];
  for (const target of named.targets) {
    try {
      for await (const { body } of readPages(target, read)) found.push(...itemsOf(body));
    } catch (error) {
      if (named.single && !(ignoreNotFound && isNotFound(error))) throw error;
      if (!(ignoreNotFound && isNotFound(error))) errors.push(error);
    }
  }
  if (found.length === 0 && ignoreNotFound) return throwCollected(errors);
  const [first] = found;
  const alone = named.single && first !== undefined && found.length === 1 && !isList(first);
  await context.stdout.write(printer.print(alone ? first : listOf(sorted(request, found))));
  throwCollected(errors);
}

function sorted({ sortBy: path }: GetRequest, objects: readonly JsonObject[]): readonly JsonObject[] {
  return path === '' ? objects : sortBy(path, objects, (object) => object);
}
