import type { ApiError } from '../../errors/api-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Filter } from '../../http/pipeline.ts';
import type { Clock } from '../../lib/clock.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Verbs } from '../../verbs/verbs.ts';
import { checkFault, refusal, type Fault, type InjectedFault } from './fault.ts';
import { faultRequestOf, matcher, type FaultMatch, type FaultRequest } from './match.ts';

interface Rule {
  readonly fault: Fault;
  readonly matches: (request: FaultRequest) => boolean;
  hits: number;
}

/**
 * Faults that a test injects into its control plane. The first that matches a request is the one that it meets. They
 * outlive {@link TestControlPlane.restore}, and forks begin without any.
 */
export class Faults {
  readonly #clock: Clock;
  readonly #rules = new Set<Rule>();
  readonly #watches = new Set<Exchange>();
  /** Watches that are told, as an event, that their version is gone. */
  readonly #expired = new WeakMap<RequestContext, ApiError>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws TypeError */
  inject(fault: Fault): InjectedFault {
    checkFault(fault);
    const rule: Rule = { fault, matches: matcher(fault.when), hits: 0 };
    this.#rules.add(rule);
    const remove = (): void => void this.#rules.delete(rule);
    return {
      get hits() {
        return rule.hits;
      },
      remove,
      [Symbol.dispose]: remove,
    };
  }

  /** Removes all faults. */
  clear(): void {
    this.#rules.clear();
  }

  /** Cuts watches that are open, as a lost connection does. @returns how many. */
  cutWatches(match?: FaultMatch): number {
    const matches = matcher(match);
    const cut = [...this.#watches].filter((exchange) => matches(faultRequestOf(exchange) as FaultRequest));
    for (const { reply } of cut) reply.abort();
    return cut.length;
  }

  /** The step of every request at which it may meet a fault. */
  readonly filter: Filter = {
    name: 'fault-injection',
    run: (exchange) => {
      const request = faultRequestOf(exchange);
      if (request === undefined) return;
      if (request.verb === 'watch') this.#follow(exchange);
      const rule = this.#take(request);
      return rule && this.#meet(rule.fault, request, exchange);
    },
  };

  /** Wraps the verbs, for what watches are told in their stream. */
  readonly wrapVerbs = (verbs: Verbs): Verbs => {
    const { watch } = verbs;
    if (watch === undefined) return verbs;
    return {
      ...verbs,
      watch: async (request) => {
        const result = await watch(request);
        const error = this.#expired.get(request.context);
        if (error === undefined || result.kind !== 'watch') return result;
        return { ...result, subscribe: () => Promise.reject(error) };
      },
    };
  };

  #follow(exchange: Exchange): void {
    this.#watches.add(exchange);
    exchange.atEnd(() => this.#watches.delete(exchange));
  }

  #take(request: FaultRequest): Rule | undefined {
    for (const rule of this.#rules) {
      if (!rule.matches(request)) continue;
      rule.hits++;
      if (rule.hits >= (rule.fault.times ?? Infinity)) this.#rules.delete(rule);
      return rule;
    }
    return undefined;
  }

  async #meet(fault: Fault, request: FaultRequest, exchange: Exchange): Promise<void> {
    const { latencyMs = 0, error, cut = false } = fault;
    if (latencyMs > 0) await this.#pause(latencyMs, exchange.signal);
    if (cut) exchange.reply.abort();
    if (cut || error === undefined) return;
    const refused = refusal({ ...fault, error }, request);
    if (request.verb !== 'watch' || error !== 'Expired') throw refused;
    this.#expired.set(exchange, refused);
  }

  /** Ends early where nobody waits for the answer any more. */
  #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (signal.aborted) resolve();
    const cancel = this.#clock.after(ms, resolve);
    signal.addEventListener(
      'abort',
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
    return promise;
  }
}
