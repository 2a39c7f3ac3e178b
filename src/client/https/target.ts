import type { Clock } from '../../lib/clock.ts';

/** A header's value; a list is sent as several lines. */
export type HeaderValue = string | readonly string[];

/** A server and how to know that it is the right one. */
export interface Target {
  readonly url: URL;
  /** PEM of the authorities that may sign its certificate; by default those that Node trusts. */
  readonly authority?: string | undefined;
  /** The name that its certificate must have, when it isn't the host's. */
  readonly serverName?: string | undefined;
  /** Takes any certificate. */
  readonly insecure?: boolean | undefined;
  /** Milliseconds that connecting may take. */
  readonly connectTimeout: number;
  readonly clock: Clock;
}
