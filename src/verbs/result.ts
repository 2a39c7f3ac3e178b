import type { ApiObject } from '../meta/object.ts';
import type { Revision } from '../meta/revision.ts';
import type { Backend } from '../outbound/backend.ts';
import type { StreamSource, TextSource } from '../registry/hooks.ts';
import type { RequestContext } from '../request/context.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../schema/model.ts';
import type { Status } from '../errors/api-error.ts';
import type { ListPage, StoredEntry, WatchSink, WatchSubscription } from '../store/object-store.ts';

/** What dispatch found for a resource request. */
export interface VerbRequest {
  readonly context: RequestContext;
  readonly resource: ResourceDefinition;
  /** Set when the path names one. */
  readonly subresource?: SubresourceDefinition;
  /** '' at cluster scope and for lists over all namespaces. */
  readonly namespace: string;
  /** '' for collections. */
  readonly name: string;
}

/** A verb: refuses by throwing ApiError, otherwise says what to answer. It never sees the HTTP response. */
export type VerbHandler = (request: VerbRequest) => Promise<VerbResult>;

/** What a verb answers; `http/` chooses the encoding (media type, Table, PartialObjectMetadata). */
export type VerbResult =
  /** A stored object: served from its bytes. */
  | {
      readonly kind: 'entry';
      readonly status: 200 | 201;
      readonly resource: ResourceDefinition;
      readonly entry: StoredEntry;
    }
  /** An object that isn't stored: dry runs, reviews, scale. */
  | {
      readonly kind: 'object';
      readonly status: number;
      readonly resource: ResourceDefinition;
      readonly object: ApiObject;
    }
  | { readonly kind: 'list'; readonly resource: ResourceDefinition; readonly page: ListPage }
  | { readonly kind: 'status'; readonly status: Status }
  | WatchResult
  | RelayResult
  | TextResult
  | StreamResult;

/** A stream to start: the HTTP layer subscribes once it has chosen an encoding. */
export interface WatchResult {
  readonly kind: 'watch';
  readonly resource: ResourceDefinition;
  /** Whether BOOKMARK events were asked for. */
  readonly bookmarks: boolean;
  /** The stream ends by itself after this long. */
  readonly timeoutSeconds: number;
  /** Whether the bookmark that ends the initial events is due (sendInitialEvents). */
  readonly initialEventsBookmark: boolean;
  subscribe(sink: WatchSink): Promise<WatchSubscription>;
  /** The revision to tell in a bookmark before any event. */
  readonly startRevision?: Revision;
}

/** A request that another server answers: the HTTP layer passes it on. */
export interface RelayResult {
  readonly kind: 'relay';
  readonly backend: Backend;
  /** What the path begins with here, percent-encoded, without a slash at its end. */
  readonly prefix: string;
  /** The path for the other server, percent-encoded; '' where the request's ends without a slash at its own root. */
  readonly subpath: string;
}

/** A text that another server has: the HTTP layer gets it. */
export interface TextResult {
  readonly kind: 'text';
  /** Undefined where there is none. */
  readonly text: TextSource | undefined;
  /** What was asked for, as refusals name it, such as `pods/log`. */
  readonly resource: string;
  readonly name: string;
}

/** A connection that goes on in another protocol, with a node agent: the HTTP layer joins the two. */
export interface StreamResult {
  readonly kind: 'stream';
  readonly source: StreamSource;
}
