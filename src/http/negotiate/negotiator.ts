import { ApiError } from '../../errors/api-error.ts';
import { mediaTypesOf, parseAccept, type AcceptClause } from './accept.ts';
import { TEXT_ENCODINGS, type Encoding } from './encodings.ts';

/** A form that every resource can be answered in instead of its own. */
export interface Transform {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  readonly version: string;
}

/** What an answer will be encoded as. */
export interface Negotiated {
  readonly encoding: Encoding;
  /** Asked for by the media type's parameters; a query or a browser may want it too. */
  readonly pretty: boolean;
  readonly transform?: Transform;
}

/**
 * How an answer goes out: as one document, as the answer to a review, as changes, or as changes that begin with the current
 * state (a streamed list).
 */
export type Delivery = 'document' | 'review' | 'watch' | 'watchList';

const METADATA_FORMS: ReadonlySet<string> = new Set(['PartialObjectMetadata', 'PartialObjectMetadataList']);
const ALL_FORMS: ReadonlySet<string> = new Set(['Table', ...METADATA_FORMS]);
/** The forms that exist besides a resource's own. Reviews have no columns; a streamed list can't be put together to one Table. */
const FORMS: Readonly<Record<Delivery, ReadonlySet<string>>> = {
  document: ALL_FORMS,
  review: METADATA_FORMS,
  watch: ALL_FORMS,
  watchList: METADATA_FORMS,
};
const OWN_FORM_ONLY: ReadonlySet<string> = new Set();

const TRANSFORM_VERSIONS = new Set(['v1', 'v1beta1']);
const CACHED_HEADERS = 512;

/**
 * Chooses encodings by `Accept`. Two places of the interface refuse: the route, when no type of the header is produced
 * at all, and the choice itself. Results are kept by header text, as clients send the same few.
 */
export class Negotiator {
  /** What can be asked for, the default first. */
  readonly encodings: readonly Encoding[];
  readonly #metaGroup: string;
  readonly #forResources: Readonly<Record<Delivery, Map<string, Negotiated | undefined>>> = {
    document: new Map(),
    review: new Map(),
    watch: new Map(),
    watchList: new Map(),
  };
  readonly #plain = new Map<string, Negotiated | undefined>();
  readonly #produced = new Map<string, boolean>();

  /** @param metaGroup the group of Table and PartialObjectMetadata, by the naming profile. */
  constructor(metaGroup: string, encodings: readonly Encoding[] = TEXT_ENCODINGS) {
    this.encodings = encodings;
    this.#metaGroup = metaGroup;
  }

  /** For what doesn't exist in every encoding. */
  withOnly(has: (encoding: Encoding) => boolean): Negotiator {
    return new Negotiator(this.#metaGroup, this.encodings.filter(has));
  }

  /** For objects, lists and watches of resources. @throws ApiError 406. */
  forResource(accept: string | undefined, delivery: Delivery): Negotiated {
    this.requireProduced(accept);
    const streaming = delivery === 'watch' || delivery === 'watchList';
    const chosen = this.#cached(this.#forResources[delivery], accept ?? '', FORMS[delivery]);
    if (chosen === undefined || (streaming && chosen.encoding.streamMediaType === undefined)) {
      throw notAcceptable(this.encodings.filter((e) => !streaming || e.streamMediaType !== undefined));
    }
    return chosen;
  }

  /** For everything that has no other forms: errors, discovery. @returns undefined when nothing fits. */
  plain(accept: string | undefined): Negotiated | undefined {
    return this.#cached(this.#plain, accept ?? '', OWN_FORM_ONLY);
  }

  /** For a document that is only given to those who ask for its kind by name. @returns undefined when nobody does. */
  named(
    accept: string | undefined,
    wanted: { group: string; kind: string; versions: readonly string[] },
  ): (Negotiated & { readonly version: string }) | undefined {
    for (const clause of parseAccept(accept ?? '')) {
      const { params } = clause;
      const version = params.get('v') ?? '';
      if (params.get('as') !== wanted.kind || params.get('g') !== wanted.group) continue;
      if (!wanted.versions.includes(version)) continue;
      const encoding = this.encodings.find((e) => covers(clause, e.mediaType));
      if (encoding !== undefined) return { encoding, version, pretty: params.get('pretty') === '1' };
    }
    return undefined;
  }

  /** The route's own check: no parameters, no ranges but the full wildcard. @throws ApiError 406. */
  requireProduced(accept: string | undefined): void {
    const header = accept ?? '';
    if (header === '') return;
    let produced = this.#produced.get(header);
    if (produced === undefined) {
      produced = mediaTypesOf(header).some(
        (type) => type === '*/*' || this.encodings.some((e) => e.mediaType === type),
      );
      keep(this.#produced, header, produced);
    }
    if (!produced) throw notAcceptable(this.encodings, true);
  }

  #cached(
    cache: Map<string, Negotiated | undefined>,
    header: string,
    forms: ReadonlySet<string>,
  ): Negotiated | undefined {
    const known = cache.get(header);
    if (known !== undefined || cache.has(header)) return known;
    const chosen = this.#choose(header, forms);
    keep(cache, header, chosen);
    return chosen;
  }

  #choose(header: string, forms: ReadonlySet<string>): Negotiated | undefined {
    const first = this.encodings[0] as Encoding;
    if (header === '') return { encoding: first, pretty: false };
    for (const clause of parseAccept(header)) {
      for (const encoding of this.encodings) {
        if (!covers(clause, encoding.mediaType)) continue;
        const chosen = this.#accept(clause, encoding, forms);
        if (chosen !== undefined) return chosen;
      }
    }
    return undefined;
  }

  #accept(clause: AcceptClause, encoding: Encoding, forms: ReadonlySet<string>): Negotiated | undefined {
    const { params } = clause;
    const stream = params.get('stream');
    if (stream !== undefined && (stream !== 'watch' || encoding.streamMediaType === undefined))
      return undefined;
    if (params.has('sv')) return undefined;
    const pretty = params.get('pretty') === '1';
    if (!params.has('as') && !params.has('g') && !params.has('v')) return { encoding, pretty };
    const transform = forms.has(params.get('as') ?? '') ? this.#transform(params) : undefined;
    if (transform === undefined || (transform.kind === 'Table' && !encoding.tables)) return undefined;
    return { encoding, pretty, transform };
  }

  #transform(params: ReadonlyMap<string, string>): Transform | undefined {
    const kind = params.get('as');
    const version = params.get('v') ?? '';
    if (params.get('g') !== this.#metaGroup || !TRANSFORM_VERSIONS.has(version)) return undefined;
    switch (kind) {
      case 'Table':
      case 'PartialObjectMetadata':
      case 'PartialObjectMetadataList':
        return { kind, version };
      default:
        return undefined;
    }
  }
}

function covers(clause: AcceptClause, mediaType: string): boolean {
  if (clause.type === '*') return clause.subtype === '*';
  const slash = mediaType.indexOf('/');
  return (
    clause.type === mediaType.slice(0, slash) &&
    (clause.subtype === '*' || clause.subtype === mediaType.slice(slash + 1))
  );
}

/** A bounded cache: emptied when full, as only an attacker sends that many different headers. */
function keep<V>(cache: Map<string, V>, header: string, value: V): void {
  if (cache.size >= CACHED_HEADERS) cache.clear();
  if (header.length <= 1024) cache.set(header, value);
}

/** 406. @param byRoute the refusal of a route, which the interface gives empty details. */
export function notAcceptable(offered: readonly { mediaType: string }[], byRoute = false): ApiError {
  const types = offered.map((e) => e.mediaType).join(', ');
  return new ApiError('NotAcceptable', `only the following media types are accepted: ${types}`, {
    ...(byRoute ? { details: {} } : {}),
  });
}
