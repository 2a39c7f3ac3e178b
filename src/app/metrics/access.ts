import type { Authenticate } from '../../http/filters/authentication.ts';
import type { AuthorizationParts } from '../../http/filters/authorization.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';
import type { Counter } from '../../telemetry/metrics/series.ts';

type Authorize = AuthorizationParts['authorize'];

/** Users that are told apart: by name, those of whom every cluster has one. */
const NAMED_USERS: ReadonlySet<string> = new Set(['admin', 'client', 'kube_proxy', 'kubelet']);

/** Counts what authentication comes to. @param now milliseconds on a clock that never goes back. */
export function countedAuthentication(
  metrics: Metrics,
  now: () => number,
  authenticate: Authenticate,
): Authenticate {
  const attempts = metrics.counter('authentication_attempts');
  const durations = metrics.histogram('authentication_duration_seconds');
  const users = metrics.counter('authenticated_user_requests');
  const byLabel = new Map<string, Counter>();
  const countUser = (name: string): void => {
    const username = userLabel(name);
    const counter = byLabel.get(username) ?? users.with({ username });
    byLabel.set(username, counter);
    counter.inc();
  };
  const outcome = (result: string): ((since: number) => void) => {
    const attempt = attempts.with({ result });
    const duration = durations.with({ result });
    return (since) => {
      attempt.inc();
      duration.observe((now() - since) / 1000);
    };
  };
  const success = outcome('success');
  const failure = outcome('failure');
  return async function counted(credentials) {
    const since = now();
    try {
      const user = await authenticate(credentials);
      success(since);
      countUser(user.name);
      return user;
    } catch (error) {
      failure(since);
      throw error;
    }
  };
}

/** Counts what authorization comes to. @param now milliseconds on a clock that never goes back. */
export function countedAuthorization(metrics: Metrics, now: () => number, authorize: Authorize): Authorize {
  const attempts = metrics.counter('authorization_attempts_total');
  const durations = metrics.histogram('authorization_duration_seconds');
  const series = Object.fromEntries(
    Object.entries({ allow: 'allowed', deny: 'denied', noOpinion: 'no-opinion', error: 'error' }).map(
      ([verdict, result]) => [
        verdict,
        { attempt: attempts.with({ result }), duration: durations.with({ result }) },
      ],
    ),
  );
  const count = (verdict: string, since: number): void => {
    series[verdict]?.attempt.inc();
    series[verdict]?.duration.observe((now() - since) / 1000);
  };
  return async function counted(request) {
    const since = now();
    try {
      const decision = await authorize(request);
      count(decision.verdict, since);
      return decision;
    } catch (error) {
      count('error', since);
      throw error;
    }
  };
}

/** Names of users would be series without end. */
function userLabel(name: string): string {
  if (NAMED_USERS.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
}
