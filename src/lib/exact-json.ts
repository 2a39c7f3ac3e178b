/** JSON with raw numbers, where the library's types lag behind the language. */
const { rawJSON } = JSON as unknown as { rawJSON(this: void, text: string): unknown };

/** JSON text of a value; bigints become exact integers. */
export function exactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Only bigints make it throw here. A replacer costs more than all the rest, so it is not for everybody.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'bigint' ? rawJSON(inner.toString()) : inner,
    );
  }
}

/** Where there may be an integer that a double can't hold. */
const LONG_NUMBER = /\d{16}/;

/**
 * Reads JSON text; integers beyond 2^53 - 1 become bigints.
 *
 * @throws SyntaxError for anything else.
 */
export function parseExactJson(text: string): unknown {
  return LONG_NUMBER.test(text) ? JSON.parse(text, reviveExactly) : JSON.parse(text);
}

function reviveExactly(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}
