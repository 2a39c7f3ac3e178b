import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import type { NamingProfile } from '../../names/profile.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { SchemaRegistry } from '../../schema/model.ts';
import { ComponentBuilder } from '../../schema/openapi/components.ts';
import { Descriptions, type DescriptionTable } from '../../schema/openapi/descriptions.ts';
import { documentSources, type DocumentSource } from '../../schema/openapi/groups.ts';
import { mediaTypes } from '../../schema/openapi/media.ts';
import type { ApiPath } from '../../schema/openapi/paths.ts';
import type { DocumentShapes } from '../../schema/openapi/protobuf/shapes.ts';
import { V2_SHAPES } from '../../schema/openapi/protobuf/shapes-v2.ts';
import { V3_SHAPES } from '../../schema/openapi/protobuf/shapes-v3.ts';
import { writeDocument } from '../../schema/openapi/protobuf/write.ts';
import { writeV2 } from '../../schema/openapi/v2.ts';
import { writeV3, type DocumentInfo, type OperationNames } from '../../schema/openapi/v3.ts';

/** The versions of OpenAPI, as paths name them. */
export type OpenApiVersion = 'v2' | 'v3';

/** A document ready to be sent. */
export interface ServedDocument {
  /** JSON. */
  readonly bytes: Uint8Array;
  /** SHA-512 of the bytes, hexadecimal in upper case: the `hash` in URLs of the index. */
  readonly hash: string;
  /** The same in quotes. */
  readonly etag: string;
}

export interface OpenApiOptions {
  readonly registry: SchemaRegistry;
  readonly names: NamingProfile;
  /** The release, `major.minor`. */
  readonly version: string;
  /** Whether CBOR is served. */
  readonly cbor: boolean;
  /** What types and fields are for. Read when the first document is asked for. */
  readonly descriptions: () => DescriptionTable;
}

/** A build gives way to other work after so many milliseconds. */
const SLICE_MS = 5;

/**
 * The OpenAPI documents, each built when it is first asked for and kept until the registry's generation changes.
 *
 * What a handler does with them:
 *
 * - `/openapi/v2`: JSON for `application/json` and any wildcard, or the message that the media type names; 406 otherwise.
 *   `Etag`, the same for both, `Vary: Accept, Accept-Encoding`, `Last-Modified`, `Cache-Control: no-cache, private`. Any
 *   method is answered like GET.
 * - `/openapi/v3`: the index, always JSON text, sent as `text/plain; charset=utf-8`, whatever is accepted; no `Etag`.
 * - `/openapi/v3/<place>`: 404 (text) for an unknown place. Without `hash` query: `Etag`, `Vary: Accept`,
 *   `Cache-Control: no-cache, private`. With the current hash: also `Cache-Control: public, immutable` and `Expires` a year
 *   ahead. With another hash: 301 to the URL with the current one, `Etag` included, no body.
 * - Everywhere: an `If-None-Match` that names the etag is answered with 304 and no body.
 */
export class OpenApiDocuments {
  readonly #options: OpenApiOptions;
  readonly #info: DocumentInfo;
  readonly #names: OperationNames;
  #descriptions: Descriptions | undefined;
  #generation = -1;
  #sources = new Map<string, DocumentSource>();
  readonly #v3 = new Map<string, Promise<ServedDocument>>();
  #v2: Promise<ServedDocument> | undefined;
  /** Messages of documents, which few clients ask for. */
  readonly #messages = new WeakMap<ServedDocument, Promise<Uint8Array>>();
  #index: Promise<ServedDocument> | undefined;

  constructor(options: OpenApiOptions) {
    const { names, version } = options;
    this.#options = options;
    this.#info = { title: names.get('title.api'), version };
    this.#names = {
      action: names.get('extension.action'),
      kind: names.get('extension.group-version-kind'),
    };
  }

  /** The document of `/openapi/v3/<place>`, e.g. `apis/apps/v1`; undefined for places that have none. */
  v3(place: string): Promise<ServedDocument> | undefined {
    this.#refresh();
    const source = this.#sources.get(place);
    if (source === undefined) return undefined;
    let document = this.#v3.get(place);
    if (document === undefined) {
      const components = this.#components('v3');
      document = serve(writeV3(source.paths(), components, this.#info, this.#names));
      this.#v3.set(place, document);
    }
    return document;
  }

  /** The list of all places with their hashes: `/openapi/v3`. */
  index(): Promise<ServedDocument> {
    this.#refresh();
    return (this.#index ??= this.#buildIndex([...this.#sources.keys()]));
  }

  /** The document of `/openapi/v2`. */
  v2(): Promise<ServedDocument> {
    this.#refresh();
    return (this.#v2 ??= serve(
      writeV2(allPaths(this.#sources.values()), this.#components('v2'), this.#info, this.#names),
    ));
  }

  /** A document as Protobuf, by the messages of its version of OpenAPI. */
  asMessage(document: ServedDocument, version: OpenApiVersion): Promise<Uint8Array> {
    let message = this.#messages.get(document);
    if (message === undefined)
      this.#messages.set(
        document,
        (message = makeMessage(document, version === 'v2' ? V2_SHAPES : V3_SHAPES)),
      );
    return message;
  }

  async #buildIndex(places: readonly string[]): Promise<ServedDocument> {
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const place of places) {
      const document = await this.v3(place);
      if (document !== undefined) paths[place] = { serverRelativeURL: openApiUrl(place, document.hash) };
    }
    return seal(Buffer.from(JSON.stringify({ paths })));
  }

  #components(version: OpenApiVersion): ComponentBuilder {
    const { registry, names } = this.#options;
    const descriptions = (this.#descriptions ??= new Descriptions(this.#options.descriptions()));
    return new ComponentBuilder({ registry, names, descriptions }, version);
  }

  #refresh(): void {
    const { cbor, names, registry } = this.#options;
    if (this.#generation === registry.generation) return;
    this.#generation = registry.generation;
    const sources = documentSources(registry, mediaTypes(names, cbor));
    this.#sources = new Map(sources.map((source) => [source.place, source]));
    this.#v3.clear();
    this.#v2 = undefined;
    this.#index = undefined;
  }
}

/** Where a document is served that may be cached for good. */
export function openApiUrl(place: string, hash: string): string {
  return `/openapi/v3/${place}?hash=${hash}`;
}

function* allPaths(sources: Iterable<DocumentSource>): Generator<ApiPath> {
  for (const source of sources) yield* source.paths();
}

async function serve(pieces: Iterable<string>): Promise<ServedDocument> {
  const buffers: Buffer[] = [];
  const slices = new Slices();
  for (const piece of pieces) {
    buffers.push(Buffer.from(piece));
    await slices.next();
  }
  return seal(Buffer.concat(buffers));
}

async function makeMessage({ bytes }: ServedDocument, shapes: DocumentShapes): Promise<Uint8Array> {
  const slices = new Slices();
  const writing = writeDocument(JSON.parse(Buffer.from(bytes).toString()) as JsonObject, shapes);
  for (;;) {
    const { done, value } = writing.next();
    if (done === true) return value;
    await slices.next();
  }
}

/** Gives way to other work when a slice of time is over. */
class Slices {
  #since = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await pause();
    this.#since = performance.now();
  }
}

function seal(bytes: Uint8Array): ServedDocument {
  const hash = createHash('sha512').update(bytes).digest('hex').toUpperCase();
  return { bytes, hash, etag: `"${hash}"` };
}
