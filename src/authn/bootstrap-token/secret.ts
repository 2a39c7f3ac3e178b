import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { canonicalTime } from '../../meta/time.ts';

/** How the name of a bootstrap token's Secret begins; the token's id follows. */
export const BOOTSTRAP_SECRET_PREFIX = 'bootstrap-token-';

/** A bootstrap token as its Secret says it. */
export interface BootstrapToken {
  /** '' where the Secret doesn't say it. */
  readonly id: string;
  readonly secret: string;
  /** Milliseconds since 1970; infinite without an end, 0 where the end can't be read. */
  readonly expiresAt: number;
  /** Whether it may be used as a bearer token. */
  readonly authenticates: boolean;
  /** Whether it signs what new nodes read of the cluster. */
  readonly signs: boolean;
  /** Groups beside that of all bootstrap tokens, unchecked, as they are written. */
  readonly extraGroups: readonly string[];
}

/** Reads the data of a bootstrap token's Secret. */
export function readBootstrapToken(secret: ApiObject): BootstrapToken {
  const data = objectAt(secret, 'data');
  const text = (key: string): string => Buffer.from(textAt(data, key), 'base64').toString();
  const groups = text('auth-extra-groups');
  return {
    id: text('token-id'),
    secret: text('token-secret'),
    expiresAt: expiry(text('expiration')),
    authenticates: text('usage-bootstrap-authentication') === 'true',
    signs: text('usage-bootstrap-signing') === 'true',
    extraGroups: groups === '' ? [] : groups.split(','),
  };
}

function expiry(text: string): number {
  if (text === '') return Infinity;
  const time = canonicalTime(text);
  return typeof time === 'string' ? Date.parse(time) : 0;
}
