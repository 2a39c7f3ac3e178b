import type { DocumentTypes } from '../../schema/document-types.ts';
import { cbor } from '../format/cbor.ts';
import { compactJson, prettyJson, yaml, type Format } from '../format/format.ts';
import { protobuf } from '../format/protobuf.ts';

/** An encoding of answers that clients may ask for. */
export interface Encoding {
  /** `application/json` … */
  readonly mediaType: string;
  /** What a watch in this encoding is labelled as; absent: it can't stream. */
  readonly streamMediaType?: string;
  /** Whether Tables exist in it. */
  readonly tables: boolean;
  /** Whether discovery documents above a group-version exist in it. */
  readonly roots: boolean;
  readonly format: Format;
  /** For people; absent: as for programs. */
  readonly pretty?: Format;
}

export const JSON_ENCODING: Encoding = {
  mediaType: 'application/json',
  streamMediaType: 'application/json',
  tables: true,
  roots: true,
  format: compactJson,
  pretty: prettyJson,
};

/** The encodings that every control plane has, the default first. */
export const TEXT_ENCODINGS: readonly Encoding[] = [
  JSON_ENCODING,
  { mediaType: 'application/yaml', tables: true, roots: true, format: yaml },
];

/**
 * Protobuf, under the media type that the naming profile gives it.
 *
 * @param whole makes the body of a document, by the kind that it names.
 */
export function protobufEncoding(mediaType: string, whole: (json: Buffer) => Buffer): Encoding {
  return {
    mediaType,
    streamMediaType: `${mediaType};stream=watch`,
    tables: false,
    roots: true,
    format: protobuf(whole),
  };
}

/** CBOR, which discovery's roots don't speak. */
export function cborEncoding(types: DocumentTypes): Encoding {
  return {
    mediaType: 'application/cbor',
    streamMediaType: 'application/cbor-seq',
    tables: false,
    roots: false,
    format: cbor(types),
  };
}
