import type { JsonObject } from '../../../meta/object.ts';
import { isNotFound, throwCollected } from '../errors.ts';
import { listOf } from '../print/clean.ts';
import type { ListPieces, Printer } from '../print/printer.ts';
import { sortBy } from '../print/sort-by.ts';
import { isList, readItems } from '../resources/read-objects.ts';
import type { GetRequest } from './request.ts';

/**
 * Shows targets as objects: one by its name as itself, everything else in a List, which is written as its pages come
 * where the form allows that.
 *
 * @throws what went wrong with some of them, when the others are shown.
 */
export async function getObjects(request: GetRequest, printer: Printer): Promise<void> {
  const { named, ignoreNotFound, context, sortBy: path } = request;
  if (!named.single && path === '' && printer.pieces !== undefined) return writeList(request, printer.pieces);
  const errors: unknown[] = [...request.mistakes];
  const found: JsonObject[] = [];
  for await (const objects of readAll(request, errors)) found.push(...objects);
  const [first] = found;
  if (named.single && errors.length > 0) throwCollected(errors);
  if (first === undefined && ignoreNotFound) return throwCollected(errors);
  const alone = named.single && first !== undefined && found.length === 1 && !isList(first);
  const list = listOf(path === '' ? found : sortBy(path, found, (object) => object));
  await context.stdout.write(printer.print(alone ? first : list));
  throwCollected(errors);
}

/** What is written at once, in characters: enough that the calls don't count, little enough to be young when it is dropped. */
const PIECE_LENGTH = 64 << 10;

async function writeList(request: GetRequest, pieces: ListPieces): Promise<void> {
  const { stdout } = request.context;
  const errors: unknown[] = [...request.mistakes];
  let count = 0;
  let text = '';
  for await (const objects of readAll(request, errors)) {
    if (count === 0) text = pieces.head;
    for (const object of objects) text += pieces.item(object, count++);
    if (text.length < PIECE_LENGTH) continue;
    await stdout.write(text);
    text = '';
  }
  if (count > 0) await stdout.write(text + pieces.tail(count));
  else if (!request.ignoreNotFound) await stdout.write(pieces.head + pieces.tail(0));
  throwCollected(errors);
}

/** The objects of all targets, page by page; what goes wrong with some of them is collected. */
async function* readAll(
  { named, read, ignoreNotFound, context }: GetRequest,
  errors: unknown[],
): AsyncGenerator<readonly JsonObject[]> {
  for (const target of named.targets) {
    try {
      yield* readItems(target, read);
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (!(ignoreNotFound && isNotFound(error))) errors.push(error);
    }
  }
}
