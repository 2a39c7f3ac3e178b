import type { Clock } from '../../lib/clock.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { Log } from '../../telemetry/log/log.ts';
import type { AuthorizationObserver } from '../metrics/authorization.ts';
import type { CompletedConfig } from '../options/complete.ts';

/** What authorization is put together from. */
export interface AuthorizationParts {
  readonly config: Pick<CompletedConfig, 'authorization' | 'gates'>;
  readonly names: NamingProfile;
  readonly log: Log;
  readonly observer: AuthorizationObserver;
  readonly clock: Clock;
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
}
