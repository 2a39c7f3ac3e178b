/** What events are counted by. */
export type LimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

export const LIMIT_TYPES: readonly LimitType[] = ['Server', 'Namespace', 'User', 'SourceAndObject'];

/** How many events are accepted. */
export interface EventLimit {
  readonly type: LimitType;
  /** In the long run, a second. */
  readonly qps: number;
  /** At a time. */
  readonly burst: number;
  /** Of so many namespaces, users or sources it is known what they have sent. */
  readonly cacheSize: number;
}

export const CACHE_SIZE = 4096;
