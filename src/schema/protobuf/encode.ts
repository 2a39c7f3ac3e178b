import type { ApiObject } from '../../meta/object.ts';
import { encodeObject } from '../codec/encode.ts';
import type { StructType } from '../model.ts';
import { parseJson } from '../parse/json.ts';
import { messageEncoding } from './encoding-plan.ts';
import { MessageWriter, NotCanonical } from './message-writer.ts';

/** Makes Protobuf messages of JSON. Keeps the memory that it writes to. */
export class MessageEncoder {
  readonly #writer = new MessageWriter();

  /**
   * The message of an object, without envelope.
   *
   * @param json in the type's canonical form as a rule: that takes one pass. Any other is brought into it first.
   * @param start where its members begin: behind the brace, or behind kind and apiVersion.
   * @returns memory that the next call overwrites. @throws DecodeError for JSON that doesn't fit the type.
   */
  encode(type: StructType, json: Buffer, start = 1): Buffer {
    const encoding = messageEncoding(type);
    try {
      return this.#writer.write(encoding, json, start);
    } catch (error) {
      if (error !== NotCanonical) throw error;
    }
    const object = parseJson(json).value as ApiObject;
    return this.#writer.write(encoding, Buffer.from(encodeObject(type, object)), 1);
  }
}
