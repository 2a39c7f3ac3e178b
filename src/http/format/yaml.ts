import type { Json } from '../../meta/object.ts';
import { parseJson } from '../../schema/parse/json.ts';
import { writeYaml } from './yaml-writer.ts';

/** The YAML of a value. */
export function yamlOf(value: Json | object): string {
  return writeYaml(value as Json);
}

/** Turns a JSON document into YAML, large integers exactly. */
export function jsonToYaml(json: Buffer): Buffer {
  return Buffer.from(writeYaml(parseJson(json).value));
}
