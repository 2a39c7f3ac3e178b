/** Who a request is from. */
export interface Credentials {
  /** The value of the `authorization` header. */
  readonly authorization?: string;
  readonly certificate?: ClientCertificate;
}

/** A client certificate and its key, PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Where credentials come from that may change while a transport is in use. */
export interface CredentialSource {
  /**
   * The credentials to use now. The certificate is the same object as long as it is the same certificate.
   *
   * @throws ConfigError when they can't be had.
   */
  get(): Promise<Credentials>;
  /** The server answered 401 to these: whatever is remembered of them is no good. */
  refused(credentials: Credentials): void;
}

/** Credentials that stay. */
export function fixedCredentials(credentials: Credentials): CredentialSource {
  const got = Promise.resolve(credentials);
  return { get: () => got, refused: () => undefined };
}
