import { badRequestError } from '../../errors/status-errors.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { flagValue } from '../../request/query-values.ts';
import type { Field, StructType } from '../../schema/model.ts';

/**
 * Reads a subresource's options from a query, as fields: what isn't there, is false or is empty is left out.
 *
 * @throws ApiError 400 for what is no number.
 */
export function readConnectOptions({ fields }: StructType, query: URLSearchParams): JsonObject {
  const options: JsonObject = {};
  for (const field of fields) {
    const values = query.getAll(field.name);
    const value = values.length === 0 ? undefined : valueOf(field, values);
    if (value !== undefined && value !== false && value !== '') options[field.name] = value;
  }
  return options;
}

function valueOf({ type }: Field, values: readonly string[]): Json | undefined {
  const [first = ''] = values;
  switch (type.kind) {
    case 'boolean':
      return flagValue(first);
    case 'string':
      return first;
    case 'list':
      return type.items.kind === 'string' ? [...values] : values.flatMap(ports);
    default:
      return undefined;
  }
}

/** The only numbers in such options. */
function ports(text: string): number[] {
  return text.split(',').map((port) => {
    const number = /^\d{1,10}$/.test(port) ? Number(port) : -1;
    if (number >= 0 && number <= 0xffff) return number;
    throw badRequestError(`${JSON.stringify(port)} is no port`);
  });
}
