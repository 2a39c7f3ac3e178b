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
