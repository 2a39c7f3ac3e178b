import type { RequestBody } from '../request/context.ts';
import { parseCbor } from '../schema/cbor/read.ts';
import type { StructType } from '../schema/model.ts';
import { parseJson } from '../schema/parse/json.ts';
import type { ParsedBody } from '../schema/parse/parsed-body.ts';
import { parseYaml } from '../schema/parse/yaml.ts';
import { decodeMessage } from '../schema/protobuf/decode.ts';
import { openEnvelope } from '../schema/protobuf/envelope.ts';

/** Parses a body that is to be of a type. @throws ApiError 400. */
export type BodyParser = (body: RequestBody, type: StructType) => ParsedBody;

/** How bodies are read, by their media types. */
export interface BodyParsers {
  /** Objects; JSON first. */
  readonly objects: ReadonlyMap<string, BodyParser>;
  /** Configurations to apply. */
  readonly configurations: ReadonlyMap<string, BodyParser>;
}

/** @param options the media type of Protobuf in the naming profile's words, and whether CBOR is read (its gate). */
export function bodyParsers({ protobufType, cbor }: { protobufType: string; cbor: boolean }): BodyParsers {
  const json = text(parseJson);
  const yaml = text(parseYaml);
  return {
    objects: new Map([
      ['application/json', json],
      ['application/yaml', yaml],
      [protobufType, protobuf],
      ...(cbor ? [['application/cbor', fromCbor] as const] : []),
    ]),
    configurations: new Map([
      ['application/apply-patch+yaml', yaml],
      ...(cbor ? [['application/apply-patch+cbor', fromCbor] as const] : []),
    ]),
  };
}

/** What was known of the text before is added. */
function text(parse: (bytes: Buffer) => ParsedBody): BodyParser {
  return ({ bytes, repeated }) => {
    const parsed = parse(bytes);
    return repeated === undefined
      ? parsed
      : { ...parsed, duplicates: repeated.map((message) => ({ message })) };
  };
}

function protobuf({ bytes }: RequestBody, type: StructType): ParsedBody {
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  const { value, unknownFields } = decodeMessage(type, raw);
  return { value: { ...value, apiVersion, kind }, duplicates: [], floats: [], unknownFields };
}

function fromCbor({ bytes }: RequestBody, type: StructType): ParsedBody {
  return parseCbor(bytes, type);
}
