import type { NamingProfile } from '../../names/profile.ts';

/** The media types that operations take and give. */
export interface MediaTypes {
  /** Of discovery documents above a group-version. */
  readonly roots: readonly string[];
  readonly objects: readonly string[];
  /** Those and the ones of watches. */
  readonly lists: readonly string[];
  readonly patches: readonly string[];
}

/** @param cbor whether CBOR is served */
export function mediaTypes(names: NamingProfile, cbor: boolean): MediaTypes {
  const protobuf = names.get('mediaType.protobuf');
  const roots = ['application/json', 'application/yaml', protobuf];
  const objects = [...roots, ...(cbor ? ['application/cbor'] : [])];
  return {
    roots,
    objects,
    lists: [
      ...objects,
      'application/json;stream=watch',
      `${protobuf};stream=watch`,
      ...(cbor ? ['application/cbor-seq'] : []),
    ],
    patches: [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
      ...(cbor ? ['application/apply-patch+cbor'] : []),
    ],
  };
}
