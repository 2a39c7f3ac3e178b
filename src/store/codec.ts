import { internalError } from '../errors/status-errors.ts';
import type { Interner } from '../lib/interner.ts';
import { joinedForKeeping } from '../lib/own-memory.ts';
import type { ApiObject } from '../meta/object.ts';
import { formatGroupVersion } from '../meta/object.ts';
import type { Revision } from '../meta/revision.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { sealed, sealOf, type Seal } from '../schema/protobuf/envelope.ts';
import type { EncodedObject } from './object-store.ts';
import { tiesOf, type Ties } from './ties.ts';

/** What the store needs to know of types. */
export interface ObjectCodec {
  /**
   * Decodes stored JSON, Protobuf or CBOR, in whichever version it is, into the version of `resource` (the one that is stored),
   * unknown fields dropped and defaults applied. @throws Error when it can't.
   */
  decodeStored(bytes: Buffer, resource: ResourceDefinition): ApiObject;
  /**
   * Canonical JSON of an object in the version of `resource`, kind, apiVersion and metadata first.
   *
   * @param ending what follows it, ASCII
   */
  encode(object: ApiObject, resource: ResourceDefinition, ending?: string): Buffer;
  /** The Protobuf message, without envelope, of what {@link encode} made: good until the next call. */
  toMessage(json: EncodedObject, resource: ResourceDefinition): Buffer;
  /** The object in another version. May share parts with its argument, which it doesn't change. */
  convert(object: ApiObject, from: ResourceDefinition, to: ResourceDefinition): ApiObject;
  /** The value of a field that selectors can name; '' when unset. */
  selectableField(resource: ResourceDefinition, object: ApiObject, path: string): string;
}

/** Changes values on their way to the storage and back: encryption at rest. The key is authenticated with them. */
export interface ValueTransform {
  toStorage(plain: Buffer, key: string): Buffer;
  fromStorage(stored: Buffer, key: string): Buffer;
}

/** What is known of an object besides its bytes. */
export interface ObjectFacts {
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** By {@link StoredKind.fieldIndex}; undefined when all are empty. */
  readonly fields: readonly string[] | undefined;
  readonly ties: Ties | undefined;
}

/** What entries have in common, kept once. */
export interface Interners {
  readonly labels: Interner<Readonly<Record<string, string>>>;
  readonly fields: Interner<readonly string[]>;
  readonly ties: Interner<Ties>;
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const CLOSE_BRACE = 0x7d;
const REVISION_FIELD = Buffer.from('"resourceVersion":"');

/** What objects are stored as. Whatever it is, both can be read, and CBOR. */
export type StorageEncoding = 'json' | 'protobuf';

/**
 * How what the storage has compares with what is served: it has not even been decoded, nobody has compared, it is the
 * same, it differs.
 */
export type StoredForm = 'unread' | 'unchecked' | 'same' | 'different';

/** What goes into an entry, and how that compares with the storage's. */
export interface EntryContent {
  /** In the stored form, of our shape. */
  readonly stored: Buffer;
  readonly form: StoredForm;
}

/**
 * One kind as it is stored. Its stored form is canonical JSON without resourceVersion, ended by a newline; the bytes that
 * are served have `"resourceVersion":"…"` as the first field of metadata, and no newline. One becomes the other by
 * copying, without parsing. The storage has the stored form, or the Protobuf body made of it.
 */
export class StoredKind {
  readonly resource: ResourceDefinition;
  readonly codec: ObjectCodec;
  /** `pods`, `deployments.apps`: for metrics. */
  readonly label: string;
  /** Where an item of a list begins: after kind and apiVersion. */
  readonly itemStart: number;
  readonly fieldIndex: ReadonlyMap<string, number>;
  readonly #interners: Interners;
  /** `{"kind":…,"apiVersion":…,"metadata":{` */
  readonly #head: Buffer;
  /** Set where it is stored as Protobuf. */
  readonly #seal: Seal | undefined;

  constructor(
    resource: ResourceDefinition,
    codec: ObjectCodec,
    { interners, storeAs }: { interners: Interners; storeAs: StorageEncoding },
  ) {
    this.resource = resource;
    this.codec = codec;
    this.#interners = interners;
    const { group, version, kind: name } = resource;
    this.#seal = storeAs === 'json' ? undefined : sealOf(formatGroupVersion(group, version), name);
    this.label = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
    const { start, head } = headOf(resource);
    this.itemStart = start;
    this.#head = head;
    const paths = resource.selectableFields.filter(
      (path) => path !== 'metadata.name' && path !== 'metadata.namespace',
    );
    this.fieldIndex = new Map(paths.map((path, index) => [path, index]));
  }

  /** Whether stored bytes begin as ours do, so that {@link served} may be applied to them. */
  hasOurShape(stored: Buffer): boolean {
    return startsWith(stored, this.#head) && stored[this.#head.length] === QUOTE;
  }

  /** How long {@link writeServed} makes them. */
  servedLength(stored: Buffer, revision: Revision): number {
    const digits = String(revision).length;
    return contentLength(stored) + REVISION_FIELD.length + digits + 2; // the closing quote and the comma
  }

  /** Writes stored bytes of our shape into `target` as they are served. */
  writeServed(stored: Buffer, revision: Revision, target: Buffer): void {
    const head = this.#head.length;
    stored.copy(target, 0, 0, head);
    let at = head + REVISION_FIELD.copy(target, head);
    at += target.write(String(revision), at, 'latin1');
    target[at++] = QUOTE;
    target[at++] = COMMA;
    stored.copy(target, at, head, contentLength(stored));
  }

  /** Canonical bytes at another revision. */
  atRevision(served: Buffer, revision: Revision): Buffer {
    const digits = this.#head.length + REVISION_FIELD.length;
    const end = served.indexOf(QUOTE, digits);
    return joinedForKeeping(
      served.subarray(0, digits),
      Buffer.from(String(revision), 'latin1'),
      served.subarray(end),
    );
  }

  /** Whether served bytes are those of a stored form, but for resourceVersion and the newline. */
  isServedAs(stored: Buffer, served: Buffer): boolean {
    const rest = this.#afterRevision(served);
    // All of a kind have the same head.
    return stored.compare(served, rest, served.length, this.#head.length, stored.length - 1) === 0;
  }

  /** The stored form of canonical bytes: without resourceVersion, with the newline. */
  toStored(served: Buffer): Buffer {
    const head = this.#head.length;
    const rest = this.#afterRevision(served);
    const stored = Buffer.allocUnsafe(head + served.length - rest + 1);
    served.copy(stored, 0, 0, head);
    served.copy(stored, head, rest);
    stored[stored.length - 1] = NEWLINE;
    return stored;
  }

  #afterRevision(served: Buffer): number {
    return served.indexOf(QUOTE, this.#head.length + REVISION_FIELD.length) + 2; // the closing quote and the comma
  }

  /** Encodes an object in the stored version for storing. resourceVersion and selfLink are left out. */
  encodeStored(object: ApiObject): Buffer {
    const stored = this.codec.encode(withoutRevision(object), this.resource, '\n');
    if (!this.hasOurShape(stored)) {
      throw internalError(`the encoding of a ${this.resource.kind} does not begin as it must`);
    }
    return stored;
  }

  /** What the storage gets for the stored form. */
  toValue(stored: Buffer): Buffer {
    if (this.#seal === undefined) return stored;
    return sealed(
      this.#seal,
      this.codec.toMessage({ bytes: stored, itemStart: this.itemStart }, this.resource),
    );
  }

  /** Whether a value that the storage has is most likely what is served, as far as its first bytes can tell. */
  mayBeServed(value: Buffer): boolean {
    return this.#seal === undefined && this.hasOurShape(value);
  }

  /** What an entry holds of an object that the storage has as `value`. */
  contentOf(value: Buffer, object: ApiObject): EntryContent {
    if (this.mayBeServed(value)) return { stored: value, form: 'unchecked' };
    const stored = this.encodeStored(object);
    return { stored, form: this.toValue(stored).equals(value) ? 'same' : 'different' };
  }

  /** Decodes what the storage has into the stored version. @throws Error */
  decodeStored(value: Buffer): ApiObject {
    return this.codec.decodeStored(value, this.resource);
  }

  /** What the cache wants to know of an object. Shares nothing with it. */
  factsOf(object: ApiObject): ObjectFacts {
    const { uid = '', labels } = object.metadata;
    const ties = tiesOf(object.metadata, this.#interners.ties);
    return { uid, labels: this.#labels(labels), fields: this.#fields(object), ties };
  }

  #labels(labels: Record<string, string> | undefined): ObjectFacts['labels'] {
    if (labels === undefined) return undefined;
    let key = '';
    for (const name in labels) {
      const value = labels[name] as string;
      key += `${name.length},${value.length},${name}${value}`;
    }
    if (key === '') return undefined;
    return this.#interners.labels.intern(key, () =>
      Object.freeze(Object.assign(Object.create(null) as Record<string, string>, labels)),
    );
  }

  #fields(object: ApiObject): ObjectFacts['fields'] {
    if (this.fieldIndex.size === 0) return undefined;
    const values: string[] = [];
    let some = false;
    for (const path of this.fieldIndex.keys()) {
      const value = this.codec.selectableField(this.resource, object, path);
      values.push(value);
      some ||= value !== '';
    }
    return some
      ? this.#interners.fields.intern(JSON.stringify(values), () => Object.freeze(values))
      : undefined;
  }
}

function headOf(resource: ResourceDefinition): { start: number; head: Buffer } {
  const apiVersion = formatGroupVersion(resource.group, resource.version);
  const names = `{"kind":${JSON.stringify(resource.kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
  return { start: Buffer.byteLength(names), head: Buffer.from(`${names}"metadata":{`) };
}

/** Where the items of lists begin in the encoding of a version. */
export function itemStartOf(resource: ResourceDefinition): number {
  return headOf(resource).start;
}

/** Puts resourceVersion into canonical JSON of any version. */
export function withRevision(json: Buffer, resource: ResourceDefinition, revision: Revision): Buffer {
  const { head } = headOf(resource);
  const comma = json[head.length] === CLOSE_BRACE ? '' : ',';
  return joinedForKeeping(
    json.subarray(0, head.length),
    REVISION_FIELD,
    Buffer.from(`${revision}"${comma}`, 'latin1'),
    json.subarray(head.length),
  );
}

function withoutRevision(object: ApiObject): ApiObject {
  const { metadata } = object;
  if (metadata.resourceVersion === undefined && metadata['selfLink'] === undefined) return object;
  const copy = { ...metadata };
  delete copy.resourceVersion;
  delete copy['selfLink'];
  return { ...object, metadata: copy };
}

function contentLength(stored: Buffer): number {
  return stored[stored.length - 1] === NEWLINE ? stored.length - 1 : stored.length;
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  if (bytes.length < start.length) return false;
  return bytes.compare(start, 0, start.length, 0, start.length) === 0;
}
