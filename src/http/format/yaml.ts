import { stringify, type CreateNodeOptions, type SchemaOptions, type ToStringOptions } from 'yaml';
import type { Json } from '../../meta/object.ts';

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
  return Buffer.from(yamlOf(JSON.parse(json.toString(), exactInteger) as Json));
}

/** Integers that a double can't hold become bigint, by their source text. */
function exactInteger(_: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}
