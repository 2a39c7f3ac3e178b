import type { Status } from '../errors/api-error.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { ApiObject, JsonObject } from '../meta/object.ts';
import type { Backend } from '../outbound/backend.ts';
import type { UserInfo } from '../request/context.ts';
import type { Review } from './reviews/reviews.ts';

/** What hooks know of the request they run for. */
export interface WriteContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly user: UserInfo;
  /** Tells the client something; absent: nobody listens. */
  readonly warn?: (text: string) => void;
}

/** What a deletion hook is told. */
export interface DeletionContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the request wants dependents to stay; undefined: it doesn't say. */
  readonly orphan: boolean | undefined;
  /** Whether it wants them to go first; undefined: it doesn't say. */
  readonly foreground: boolean | undefined;
}

/**
 * What data can't say about a kind: optional functions around the fixed course of a write, which is decode → defaults →
 * ownership → mutating admission → prepare → validate → validating admission → store. Objects are in the version that
 * the request used; hooks of kinds that are served in several different forms must cope with each.
 */
export interface ResourceHooks {
  /** Defaults that depend on other fields; run whenever an object is decoded. */
  readonly defaults?: (object: ApiObject) => void;
  /**
   * Sets aside what the object takes from pools that objects share (addresses, ports), and writes it into the object.
   * Runs after mutating admission, before the object is prepared and validated; in a dry run nothing is set aside.
   *
   * @param old absent for a new object @throws ApiError 422, 500 when that can't be had; nothing is set aside then.
   */
  readonly reserve?: (
    object: ApiObject,
    old: ApiObject | undefined,
    context: { readonly dryRun: boolean },
  ) => Promise<Reservation>;
  /** Gives back what an object had that is gone, and takes along what goes with it. Doesn't fail. */
  readonly release?: (object: ApiObject) => Promise<void>;
  /** Sets what the server decides about a new object. The status has been emptied where the kind has a subresource. */
  readonly prepareForCreate?: (object: ApiObject, context: WriteContext) => void;
  /** Takes back what an update may not change and sets what follows from the change. The status is the old one. */
  readonly prepareForUpdate?: (object: ApiObject, old: ApiObject, context: WriteContext) => void;
  /** Whether an update counts as a new generation, where that isn't any change outside metadata and status. */
  readonly countsAsChange?: (object: ApiObject, old: ApiObject) => boolean;
  /**
   * Whether the user may write this, besides what the request's verb says: asked before the server prepares the object.
   * @throws ApiError 403.
   */
  readonly mayWrite?: (object: ApiObject, old: ApiObject | undefined, context: WriteContext) => Promise<void>;
  /** Rules for every stored object, its metadata left out. */
  readonly validate?: (object: ApiObject) => FieldError[];
  /** Rules about changes; `validate` runs as well. */
  readonly validateUpdate?: (object: ApiObject, old: ApiObject) => FieldError[];
  /** Texts for `Warning` headers. */
  readonly warnings?: (object: ApiObject, old: ApiObject | undefined) => string[];
  /** How the status subresource differs from: takes the status of the request and everything else of the old object. */
  readonly status?: SubresourceHooks;
  /** Subresources of the same kind besides status, by name: `finalize`, `approval`… */
  readonly subresources?: Readonly<Record<string, SubresourceHooks>>;
  /** Fields (as a field set) that updates of the resource itself never own. The status is always among them. */
  readonly resetFields?: JsonObject;
  /** Whether a new object keeps the status that it came with. */
  readonly keepsStatusOnCreate?: boolean;
  /** The grace period of a deletion, seconds, given what the request asks. */
  readonly gracePeriodSeconds?: (object: ApiObject, asked: number | undefined) => number;
  /** Names of objects that nobody deletes: the system can't do without them. */
  readonly undeletable?: ReadonlySet<string>;
  /**
   * Decides what a deletion does where finalizers and grace periods are not all there is, and changes the object
   * accordingly. Undefined: the general rules apply.
   */
  readonly planDeletion?: (object: ApiObject, context: DeletionContext) => 'mark' | 'pending' | undefined;
  /** Whether something besides finalizers of the metadata keeps a terminating object. */
  readonly isHeld?: (object: ApiObject) => boolean;
  /** A selectable field that isn't simply the value at its path. */
  readonly selectableField?: (object: ApiObject, path: string) => string | undefined;
  /** The name that a selectable field of any version has in the stored version. */
  readonly storedField?: (path: string) => string;
  /** How a kind whose objects are questions is answered. */
  readonly review?: Review;
  /** How a kind that isn't stored is read. */
  readonly virtual?: VirtualObjects;
  /** How POST to a subresource with a kind of its own is answered, by the subresource's name: `token`… */
  readonly creates?: Readonly<Record<string, SubresourceCreation>>;
  /** Whom requests to a subresource are passed on to, by the subresource's name: `proxy`… */
  readonly connects?: Readonly<Record<string, FindBackend>>;
  /** Where the text is that GET of a subresource answers with, by the subresource's name: `log`… */
  readonly texts?: Readonly<Record<string, FindText>>;
  /** Which node agent goes on with the connection of a request to a subresource, by the subresource's name: `exec`… */
  readonly streams?: Readonly<Record<string, FindStream>>;
  /** Where POST of a kind that isn't stored leads: to a subresource of the object that it names. */
  readonly createdAs?: { readonly resource: string; readonly part: string };
}

/** What has been set aside for a write. Neither method fails. */
export interface Reservation {
  /** The object is stored: gives back what it had before and has no more. */
  commit(): Promise<void>;
  /** It is not stored: gives back what was set aside. */
  undo(): Promise<void>;
}

/**
 * Answers what was sent to a subresource.
 *
 * @param object in canonical form, its ownership recorded, after mutating admission. @throws ApiError.
 */
export type SubresourceCreation = (
  object: ApiObject,
  context: CreationContext,
) => Promise<ApiObject | CreationOutcome>;

/** An answer that is no object. */
export interface CreationOutcome {
  readonly outcome: Status;
}

/** A resource, and which of its objects in the request's namespace. */
export interface Neighbour {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

/** What is known of such a request, and may be done for it. */
export interface CreationContext extends WriteContext {
  /** Of the object that the subresource belongs to. */
  readonly namespace: string;
  readonly name: string;
  /** That object, as it is now. @throws ApiError 404. */
  parent(): Promise<ApiObject>;
  /** An object of a resource of the core group, as it is now. @throws ApiError 404. */
  read(resource: string, place: { readonly namespace: string; readonly name: string }): Promise<ApiObject>;
  /** Asks validating admission, once the object is as it is to be. @throws ApiError 403. */
  admit(): Promise<void>;
  readonly warn: (text: string) => void;
  /** Whether nothing may be written. */
  readonly dryRun: boolean;
  /** Objects of a resource in the same namespace, as they are now. */
  list(group: string, resource: string): Promise<ApiObject[]>;
  /**
   * Changes an object of the same namespace as the server itself: past admission and the rules of requests. `change` is
   * run again when others write in between, and throws to refuse. @returns what is stored. @throws ApiError 404.
   */
  change(object: Neighbour, change: (stored: ApiObject) => void): Promise<ApiObject>;
  /** Deletes the parent as a request with these options would, past admission. @throws ApiError 404, 409, 422. */
  remove(options: JsonObject): Promise<void>;
}

/** Finds the server that a request is passed on to. @throws ApiError. */
export type FindBackend = (context: ConnectContext) => Promise<Backend>;

/** Where a text is. */
export interface TextSource {
  readonly backend: Backend;
  /** With the query. */
  readonly path: string;
}

/** Finds a text. @returns undefined where there is none. @throws ApiError. */
export type FindText = (context: ConnectContext) => Promise<TextSource | undefined>;

/** Where a connection goes on. */
export interface StreamSource {
  readonly backend: Backend;
  /** With the query. */
  readonly path: string;
  /** What WebSockets are translated to that node agents don't speak themselves; absent: all go there as they are. */
  readonly translation?: StreamTranslation;
}

export type StreamTranslation =
  /** Channels of one program: streams of SPDY, one each. */
  | ({ readonly to: 'channels' } & ProgramStreams)
  /** SPDY itself, in messages. */
  | { readonly to: 'tunnel' };

/** Which streams of a program a client wants. */
export interface ProgramStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** Finds where a connection goes on. @throws ApiError. */
export type FindStream = (context: ConnectContext) => Promise<StreamSource>;

/** What is known of such a request. */
export interface ConnectContext {
  readonly namespace: string;
  /** As in the path: it may hold a scheme and a port besides the object's name. */
  readonly name: string;
  readonly query: URLSearchParams;
  /** What the query says, as fields of the subresource's options. */
  readonly options: JsonObject;
  /** An object of a resource of the core group, as it is now. @throws ApiError 404. */
  read(resource: string, place: { readonly namespace: string; readonly name: string }): Promise<ApiObject>;
}

/** Objects that are made when somebody asks for them. */
export interface VirtualObjects {
  /** All there are, in the order of lists. */
  readonly names: readonly string[];
  /** One of them, without kind and apiVersion. */
  read(name: string, signal: AbortSignal): Promise<JsonObject>;
}

/** How an update through a subresource differs. */
export interface SubresourceHooks {
  /** Takes back what this subresource may not change. */
  readonly prepareForUpdate: (object: ApiObject, old: ApiObject, context: WriteContext) => void;
  /** Whether the object is held to the rules of its type and kind afterwards. */
  readonly rulesOfAll?: true;
  readonly validateUpdate?: (object: ApiObject, old: ApiObject) => FieldError[];
  /** Fields that updates through it never own. */
  readonly resetFields?: JsonObject;
}
