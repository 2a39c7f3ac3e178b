import { namesOf, type DocumentTypes } from '../document-types.ts';
import { MessageEncoder } from './encode.ts';
import { sealed, sealOf } from './envelope.ts';

/** Documents that name their kind, as Protobuf bodies: objects, lists of objects, Status, discovery. */
export class ProtobufDocuments {
  readonly #types: DocumentTypes;
  readonly #encoder = new MessageEncoder();

  constructor(types: DocumentTypes) {
    this.#types = types;
  }

  /** @throws Error for a kind that has no message. */
  encode(json: Buffer): Buffer {
    const names = namesOf(json);
    const { kind, apiVersion, start } = names;
    const type = this.#types.typeOf(names);
    if (type === undefined) throw new Error(`there is no Protobuf message of ${kind} in ${apiVersion}`);
    return sealed(sealOf(apiVersion, kind), this.#encoder.encode(type, json, start));
  }

  /** The message of a list's metadata: good until the next call. */
  listMetadata(json: Buffer): Buffer {
    return this.#encoder.encode(this.#types.listMeta, json);
  }
}
