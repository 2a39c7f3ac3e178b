import type { RequestInfo } from './request-info.ts';

/** Who asks. All values are opaque to authentication. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A request's body with what says how to read it. Read at most once, bounded by the server's body limit. */
export interface RequestBody {
  readonly bytes: Buffer;
  /** Media type without parameters, lower case; '' when the client sent none. */
  readonly mediaType: string;
  /** The header as sent. */
  readonly contentType: string;
  /** Of keys that an object has twice, as clients are told, where the bytes no longer show it. */
  readonly repeated?: readonly string[];
}

/**
 * What a request carries on its one walk down: made by the HTTP pipeline, completed by its filters (user), read by
 * verbs. Verbs know nothing else of HTTP.
 */
export interface RequestContext {
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  /** The user after authentication and impersonation. */
  readonly user: UserInfo;
  readonly userAgent: string;
  /** Unique; the `Audit-Id` of the answer. */
  readonly auditId: string;
  /** Aborts when the client is gone, the deadline passed, or the server ends long-running requests. */
  readonly signal: AbortSignal;
  /** Reads the body. @throws ApiError 413 beyond the limit, 400 when it is cut short. */
  body(): Promise<RequestBody>;
  /** Adds a `Warning` header to the answer; equal texts once, bounded in number and size. */
  warn(text: string): void;
  /** Notes something for the audit, under a name of the profile. The first note under a name stays. */
  annotate(name: string, text: string): void;
}
