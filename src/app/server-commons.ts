import type { Clock } from '../lib/clock.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { Log } from '../telemetry/log/log.ts';
import type { CompletedConfig } from './options/complete.ts';

/** What all parts of a server may be lent. */
export interface ServerCommons {
  readonly config: CompletedConfig;
  readonly names: NamingProfile;
  readonly clock: Clock;
  /** A number from 0 up to, but not including, 1: of generated names, and of times that are spread. */
  readonly random: () => number;
  readonly log: Log;
}
