import { ApiError } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { Buckets } from './buckets.ts';
import type { EventLimit, LimitType } from './configuration.ts';

export interface EventRateLimitDependencies {
  readonly limits: readonly EventLimit[];
  /** The newer group of Events. */
  readonly group: string;
  readonly clock: Clock;
}

/** Accepts so many events, and no more, from everybody together, in a namespace, of a user or about one thing. */
export function eventRateLimit({ limits, group, clock }: EventRateLimitDependencies): AdmissionPlugin {
  const enforced = limits.map(({ type, qps, burst, cacheSize }) => {
    const buckets = new Buckets({ qps, burst, limit: type === 'Server' ? 1 : cacheSize, clock });
    return { type, accepts: (request: AdmissionRequest) => buckets.take(KEYS[type](request)) };
  });
  return {
    name: 'EventRateLimit',
    operations: ['CREATE', 'UPDATE'],
    concerns: (row) => row.resource === 'events' && (row.group === '' || row.group === group),
    validate(request) {
      if (request.dryRun) return;
      // Each counts, whatever the others say.
      const exceeded = enforced.filter(({ accepts }) => !accepts(request)).map(({ type }) => type);
      if (exceeded.length === 0) return;
      // Nobody is told when to try again: it is the sender who is to send less.
      throw new ApiError('TooManyRequests', `too many events, by the limits of ${exceeded.join(', ')}`);
    },
  };
}

const KEYS: Readonly<Record<LimitType, (request: AdmissionRequest) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object }) {
    const source = objectAt(object, 'source') ?? objectAt(object, 'deprecatedSource');
    const about = objectAt(object, 'involvedObject') ?? objectAt(object, 'regarding');
    return [
      ...['component', 'host'].map((field) => textAt(source, field)),
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion'].map((field) => textAt(about, field)),
    ].join('\n');
  },
};
