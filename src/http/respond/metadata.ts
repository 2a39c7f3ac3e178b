import type { EncodedObject } from '../../store/object-store.ts';
import { containerEnd } from '../format/indent-json.ts';

const METADATA_KEY = '"metadata":';

/** The bytes of an encoded object's `metadata`, found without parsing: it always comes first after kind and apiVersion. */
export function metadataOf({ bytes, itemStart }: EncodedObject): Buffer {
  const start = itemStart + METADATA_KEY.length;
  return bytes.subarray(start, containerEnd(bytes, start));
}

/** The same of an object that isn't stored. @param bytes its JSON, in the type's order */
export function metadataIn(bytes: Buffer): Buffer {
  return metadataOf({ bytes, itemStart: bytes.indexOf(METADATA_KEY) });
}
