import type { Exchange } from '../exchange.ts';
import type { Endpoint } from '../pipeline.ts';
import { sendBytes } from '../respond/bytes.ts';
import { sendText } from '../respond/document.ts';

/** One thing that must be well. */
export interface HealthCheck {
  readonly name: string;
  /** @throws Error, or rejects, when it isn't. The reason goes to the log only: the endpoints are public. */
  check(signal: AbortSignal): Promise<void> | void;
}

export interface HealthObserver {
  /** A group of checks failed, and why. */
  onFailure?(endpoint: string, failures: readonly { name: string; error: unknown }[]): void;
  /** The outcome of one check. */
  onCheck?(endpoint: string, name: string, healthy: boolean): void;
}

interface Outcome {
  readonly check: HealthCheck;
  readonly excluded: boolean;
  readonly error: unknown;
}

/**
 * `/healthz` and its like, with an endpoint for each check below it.
 *
 * @param name the endpoint's path without the slash: `livez`.
 */
export function healthEndpoints(
  name: string,
  checks: readonly HealthCheck[],
  observer: HealthObserver = {},
): [path: string, endpoint: Endpoint][] {
  return [
    [`/${name}`, (exchange) => serveAll(exchange, { name, checks, observer })],
    ...checks.map((check): [string, Endpoint] => [
      `/${name}/${check.name}`,
      (exchange) => serveOne(exchange, check),
    ]),
  ];
}

async function serveAll(
  exchange: Exchange,
  { name, checks, observer }: { name: string; checks: readonly HealthCheck[]; observer: HealthObserver },
): Promise<void> {
  const excluded = new Set(exchange.query.getAll('exclude'));
  const outcomes = await Promise.all(
    checks.map((check) => outcomeOf(check, excluded.has(check.name), exchange)),
  );
  for (const check of checks) excluded.delete(check.name);
  for (const { check, excluded: skipped, error } of outcomes) {
    if (!skipped) observer.onCheck?.(name, check.name, error === undefined);
  }
  const failed = outcomes.filter((outcome) => outcome.error !== undefined);
  if (failed.length > 0) {
    observer.onFailure?.(
      name,
      failed.map(({ check, error }) => ({ name: check.name, error })),
    );
    sendText(exchange, 500, `${lines(outcomes, excluded)}${name} check failed\n`);
    return;
  }
  const verbose = exchange.queryHas('verbose');
  sendText(exchange, 200, verbose ? `${lines(outcomes, excluded)}${name} check passed\n` : 'ok');
}

async function outcomeOf(check: HealthCheck, excluded: boolean, exchange: Exchange): Promise<Outcome> {
  if (excluded) return { check, excluded, error: undefined };
  try {
    await check.check(exchange.signal);
    return { check, excluded, error: undefined };
  } catch (error) {
    return { check, excluded, error: error ?? new Error('failed') };
  }
}

function lines(outcomes: readonly Outcome[], unmatched: ReadonlySet<string>): string {
  let text = '';
  for (const { check, excluded, error } of outcomes) {
    if (excluded) text += `[+]${check.name} excluded: ok\n`;
    else if (error === undefined) text += `[+]${check.name} ok\n`;
    else text += `[-]${check.name} failed: reason withheld\n`;
  }
  if (unmatched.size === 0) return text;
  const names = [...unmatched].sort().map((name) => JSON.stringify(name));
  return `${text}warn: some health checks cannot be excluded: no matches for ${names.join(', ')}\n`;
}

async function serveOne(exchange: Exchange, check: HealthCheck): Promise<void> {
  const { error } = await outcomeOf(check, false, exchange);
  if (error === undefined) {
    return sendBytes(exchange, 200, { 'content-type': 'text/plain; charset=utf-8' }, Buffer.from('ok'));
  }
  const why = error instanceof Error ? error.message : 'failed';
  sendText(exchange, 500, `internal server error: ${why}\n`);
}
