import type { JsonObject } from '../../meta/object.ts';

/** The JSON text of an object, one piece per field. */
export function* writeObject<T>(
  items: Iterable<T>,
  field: (item: T) => [string, JsonObject],
): Generator<string, void> {
  let separator = '{';
  for (const item of items) {
    const [name, value] = field(item);
    yield `${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`;
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}
