import { CtlError } from '../errors.ts';

/** Reads `KEY=VALUE` texts; the last one of a key counts. @param wrong says what is wrong with a text without `=`. */
export function keyValues(texts: readonly string[], wrong: (text: string) => string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const text of texts) {
    const equals = text.indexOf('=');
    if (equals < 0) throw new CtlError(wrong(text));
    values[text.slice(0, equals)] = text.slice(equals + 1);
  }
  return values;
}
