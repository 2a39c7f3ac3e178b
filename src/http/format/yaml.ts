import { stringify, type CreateNodeOptions, type SchemaOptions, type ToStringOptions } from 'yaml';
import type { Json } from '../../meta/object.ts';
import { parseJson } from '../../schema/parse/json.ts';

/** YAML 1.1, because that is what the interface's clients read: `yes`, `0777`, `12:30` are quoted. */
const OPTIONS: { version: '1.1' } & CreateNodeOptions & SchemaOptions & ToStringOptions = {
  version: '1.1',
  sortMapEntries: true,
  indentSeq: false,
  lineWidth: 0,
  aliasDuplicateObjects: false,
};

/** The YAML of a value. */
export function yamlOf(value: Json | object): string {
  return stringify(value, OPTIONS);
}

/** Turns a JSON document into YAML, large integers exactly. */
export function jsonToYaml(json: Buffer): Buffer {
  return Buffer.from(yamlOf(parseJson(json).value));
}
