import type { Json } from '../../../../meta/object.ts';
import { parseYaml } from '../../../../schema/parse/yaml.ts';
import { CtlError } from '../../errors.ts';
import { syntaxError } from '../locate-field.ts';

/** Reads one YAML document. @throws CtlError telling the line. */
export function parseText(file: string, text: string): Json {
  try {
    return parseYaml(Buffer.from(text)).value;
  } catch (cause) {
    const found = syntaxError(text, 1);
    const why = found === undefined ? (cause instanceof Error ? cause.message : String(cause)) : found.why;
    throw new CtlError(`${file}: line ${found?.line ?? 1}: this is not YAML: ${why}`, { cause });
  }
}
