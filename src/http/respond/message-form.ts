import { exactJson } from '../../lib/exact-json.ts';
import { Pacer } from '../../lib/pacer.ts';
import { varintSize, writeVarint } from '../../lib/varint.ts';
import { formatGroupVersion, type JsonObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { sealed, sealOf, type Seal } from '../../schema/protobuf/envelope.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import type { Format } from '../format/format.ts';
import type { Form, ListFrame } from './form.ts';
import { viewFor, type ViewChoice, type ViewSources } from './views.ts';

/** Stored objects as Protobuf messages, without envelope. */
export interface MessageSources {
  /** The message of an entry in the version of `resource`: good until the next call. */
  of(entry: StoredEntry, resource: ResourceDefinition): Buffer;
  /** How long it is. */
  lengthOf(entry: StoredEntry, resource: ResourceDefinition): number;
  /** The message of a list's metadata. @param json of type ListMeta */
  listMetadata(json: Buffer): Buffer;
}

/** What forms that are made of messages need. */
export interface MessageFormSources extends ViewSources {
  readonly messages: MessageSources;
}

/** Tags of a message's first two fields: of lists, `metadata` and `items`. */
const FIRST = 0x0a;
const SECOND = 0x12;
/** The version in which the list of PartialObjectMetadata has them the other way round. */
const ITEMS_FIRST = 'v1beta1';

const NOTHING = Buffer.alloc(0);
/** Headers of items up to this long are kept. */
const KEPT_HEADERS = 8192;

/** Objects as they are or as metadata only, made of their messages. */
export function messageForm(
  resource: ResourceDefinition,
  choice: ViewChoice & { readonly format: Format },
  sources: MessageFormSources,
): Form {
  const { messages } = sources;
  const view = viewFor(resource, choice, sources);
  const { object, list } = sealsOf(resource, choice, sources.metaGroup);
  const whole = choice.transform === undefined;
  const messageOf = (entry: StoredEntry): Buffer =>
    whole ? messages.of(entry, resource) : metadataPart(messages.of(entry, resource));
  const lengthOf = (entry: StoredEntry): number =>
    whole ? messages.lengthOf(entry, resource) : messageOf(entry).length;
  const headers = new Map<number, Buffer>();
  const itemsFirst = choice.transform?.version === ITEMS_FIRST;
  const itemsTag = itemsFirst ? FIRST : SECOND;
  const frame = (metadata: JsonObject, items: number): ListFrame => {
    const message = messages.listMetadata(Buffer.from(exactJson(metadata)));
    const around = Buffer.concat([field(itemsFirst ? SECOND : FIRST, message.length), message]);
    const open = list.open(around.length + items);
    return {
      open: itemsFirst ? open : Buffer.concat([open, around]),
      close: itemsFirst ? Buffer.concat([around, list.close]) : list.close,
      separator: NOTHING,
    };
  };
  return {
    single: (item) =>
      'entry' in item ? sealed(object, messageOf(item.entry)) : choice.format.whole(view.single(item)),
    empty(metadata) {
      const { open, close } = frame(metadata, 0);
      return Buffer.concat([open, close]);
    },
    async frame(metadata, entries) {
      const pacer = new Pacer();
      let items = 0;
      for (const entry of entries) {
        const length = lengthOf(entry);
        items += 1 + varintSize(length) + length;
        if (pacer.due()) await pacer.rest();
      }
      return frame(metadata, items);
    },
    element(entry) {
      const bytes = messageOf(entry);
      let prefix = headers.get(bytes.length);
      if (prefix === undefined) {
        prefix = field(itemsTag, bytes.length);
        if (bytes.length <= KEPT_HEADERS) headers.set(bytes.length, prefix);
      }
      return { prefix, bytes, start: 0 };
    },
  };
}

function sealsOf(
  { group, version, kind, listKind }: ResourceDefinition,
  { transform }: ViewChoice,
  metaGroup: string,
): { object: Seal; list: Seal } {
  if (transform === undefined) {
    const apiVersion = formatGroupVersion(group, version);
    return { object: sealOf(apiVersion, kind), list: sealOf(apiVersion, listKind) };
  }
  const apiVersion = formatGroupVersion(metaGroup, transform.version);
  return {
    object: sealOf(apiVersion, 'PartialObjectMetadata'),
    list: sealOf(apiVersion, 'PartialObjectMetadataList'),
  };
}

/** The first field of every object's message, which alone is the message of a PartialObjectMetadata. */
function metadataPart(message: Buffer): Buffer {
  let length = 0;
  let scale = 1;
  let at = 1;
  for (let byte = 128; byte > 127; scale *= 128) {
    byte = message[at++] as number;
    length += (byte & 127) * scale;
  }
  return message.subarray(0, at + length);
}

function field(tag: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(1 + varintSize(length));
  header[0] = tag;
  writeVarint(header, 1, length);
  return header;
}
