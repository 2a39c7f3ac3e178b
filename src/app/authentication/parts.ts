import type { KeySet } from '../../authn/service-account/keys.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { Log } from '../../telemetry/log/log.ts';
import type { ClientAuthorities } from '../client-authorities.ts';
import type { CredentialFiles } from '../credential-files.ts';
import type { LateObjects } from '../late-objects.ts';
import type { AuthenticationObserver } from '../metrics/authentication.ts';

/** What authentication is put together from. */
export interface AuthenticationParts {
  readonly files: CredentialFiles;
  /** They vouch for clients that show certificates. */
  readonly authorities: ClientAuthorities;
  /** What verifies tokens of service accounts. */
  readonly tokenKeys: KeySet;
  readonly names: NamingProfile;
  /** What tokens stand for, where that is kept in the store. */
  readonly objects: LateObjects;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly observer: AuthenticationObserver;
}
