import assert from 'node:assert/strict';
import fc from 'fast-check';
import { increaseOf, type Claimed } from '../../src/admission/resource-quota/check.ts';
import { count, type QuotaEvaluator } from '../../src/admission/resource-quota/evaluators/evaluator.ts';
import { QuotaLedger, type Charges, type QuotaVersion } from '../../src/admission/resource-quota/ledger.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import { MemoryQuotas, quota } from '../unit/admission/resource-quota/quota-store.ts';
import { object } from '../unit/admission/requests.ts';
import { lawRuns } from '../support/laws.ts';

/** Something is asked for at a server, after some turns; perhaps it is given back later. */
interface Ask {
  readonly server: number;
  readonly amount: number;
  readonly turns: number;
  readonly givenBack: boolean;
}

const ASKS = fc.array(
  fc.record({
    server: fc.nat({ max: 2 }),
    amount: fc.integer({ min: 1, max: 4 }),
    turns: fc.nat({ max: 6 }),
    givenBack: fc.boolean(),
  }),
  { maxLength: 24 },
);

const LIMITS = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }));
/** How long writes take, one after the other. */
const TURNS = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 9 });

const evaluator: QuotaEvaluator = {
  handles: () => true,
  measures: (name) => name === 'things',
  usage: () => new Map(),
};

function claim(amount: number): Claimed {
  const usage = new Map([['things', count(amount)]]);
  const increase = increaseOf(usage, undefined);
  return { evaluator, object: object({ name: 'x' }), usage, increase, limited: [], limitedScopes: [] };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('quotas', () => {
  it('are charged exactly what was allowed and not given back, by however many servers, and never exceeded', async () => {
    await fc.assert(
      fc.asyncProperty(ASKS, LIMITS, TURNS, async (asks, [a, b], delays) => {
        const quotas = new MemoryQuotas(quota('a', { things: String(a) }), quota('b', { things: String(b) }));
        let writes = 0;
        quotas.turns = () => delays[writes++ % delays.length] ?? 1;
        const refuse = (_: Claimed, why: string): Error => new ApiError('Forbidden', why);
        const servers = [0, 1, 2].map(() => new QuotaLedger<QuotaVersion>(quotas, refuse));
        let expected = 0;
        const run = async ({ server, amount, turns, givenBack }: Ask): Promise<void> => {
          const ledger = servers[server];
          assert.ok(ledger);
          for (let i = 0; i < turns; i++) await turn();
          let charges: Charges;
          try {
            charges = await ledger.charge('n', claim(amount));
          } catch (error) {
            assert.ok(error instanceof ApiError && error.reason === 'Forbidden', String(error));
            return;
          }
          for (const name of ['a', 'b'])
            assert.ok(Number(quotas.used(name)['things']) <= (name === 'a' ? a : b));
          if (givenBack) await ledger.refund('n', charges);
          else expected += amount;
        };
        await Promise.all(asks.map(run));
        while (servers.some((ledger) => ledger.isBusy('n'))) await turn();
        for (const name of ['a', 'b']) assert.equal(Number(quotas.used(name)['things']), expected);
      }),
      { numRuns: lawRuns() },
    );
  }).timeout(120_000);
});
