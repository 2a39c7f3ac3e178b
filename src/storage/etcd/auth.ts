import { Metadata } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';

/** Exchanges a name and a password for a token; rejects with the gRPC error. */
export type Authenticate = (credentials: { name: string; password: string }) => Promise<string>;

/**
 * The metadata that calls carry: that the member must have a leader, and the user's token if there is a user. A token
 * is fetched once and kept until a server refuses it.
 */
export class CallMetadata {
  readonly #credentials: { name: string; password: string } | undefined;
  readonly #plain = withLeader(new Metadata());
  #current: Metadata | undefined;
  #fetching: Promise<Metadata> | undefined;

  constructor(credentials: { name: string; password: string } | undefined) {
    this.#credentials = credentials;
    if (credentials === undefined) this.#current = this.#plain;
  }

  /** The metadata to use if it is at hand: the hot path. */
  get current(): Metadata | undefined {
    return this.#current;
  }

  /** Fetches a token with `authenticate` unless one is at hand or on its way. */
  async get(authenticate: Authenticate): Promise<Metadata> {
    if (this.#current !== undefined) return this.#current;
    this.#fetching ??= this.#fetch(authenticate).finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  /** A server refused this metadata. @returns whether new ones can be had. */
  refused(metadata: Metadata): boolean {
    if (this.#credentials === undefined) return false;
    if (this.#current === metadata) this.#current = undefined;
    return true;
  }

  async #fetch(authenticate: Authenticate): Promise<Metadata> {
    if (this.#credentials === undefined) return this.#plain;
    try {
      const metadata = this.#plain.clone();
      metadata.set('token', await authenticate(this.#credentials));
      return (this.#current = metadata);
    } catch (error) {
      // A server that knows no users yet takes calls without a token, and says so when it begins to want one.
      if (!(error as ServiceError).details.includes('authentication is not enabled')) throw error;
      return (this.#current = this.#plain);
    }
  }
}

/** Without it a member cut off from its leader keeps a watch silently open, and lets calls run into their deadline. */
function withLeader(metadata: Metadata): Metadata {
  metadata.set('hasleader', 'true');
  return metadata;
}
