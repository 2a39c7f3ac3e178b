import type { EncodedObject } from '../../store/object-store.ts';
import { containerEnd } from '../format/indent-json.ts';

const METADATA_KEY = '"metadata":';

/** The bytes of an encoded object's `metadata`, found without parsing: it always comes first after kind and apiVersion. */
export function metadataOf(encoded: EncodedObject): Buffer {
  const start = encoded.itemStart + METADATA_KEY.length;
  return encoded.bytes.subarray(start, containerEnd(encoded.bytes, start));
}
