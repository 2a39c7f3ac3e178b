import assert from 'node:assert/strict';
import { increaseOf, type Claimed } from '../../../../src/admission/resource-quota/check.ts';
import { objectCount } from '../../../../src/admission/resource-quota/evaluators/evaluator.ts';
import {
  QuotaLedger,
  type Charges,
  type QuotaVersion,
} from '../../../../src/admission/resource-quota/ledger.ts';
import { ApiError } from '../../../../src/errors/api-error.ts';
import { object } from '../requests.ts';
import { MemoryQuotas, quota } from './quota-store.ts';

const evaluator = objectCount(['things']);

function claim(): Claimed {
  const made = object({ name: 'x' });
  const usage = evaluator.usage(made, 0);
  return {
    evaluator,
    object: made,
    usage,
    increase: increaseOf(usage, undefined),
    limited: [],
    limitedScopes: [],
  };
}

function ledgerOf(quotas: MemoryQuotas): QuotaLedger<QuotaVersion> {
  return new QuotaLedger(quotas, (_, why) => new ApiError('Forbidden', why));
}

/** How many of so many charges are allowed. */
async function allowed(charges: Promise<Charges>[]): Promise<number> {
  const results = await Promise.allSettled(charges);
  for (const result of results)
    if (result.status === 'rejected') assert.match(String(result.reason), /exceeded quota/);
  return results.filter(({ status }) => status === 'fulfilled').length;
}

describe('the ledger of quotas', () => {
  it('charges those that ask together at once, and never too many', async () => {
    const quotas = new MemoryQuotas(quota('q', { things: '10' }, { things: '3' }));
    const ledger = ledgerOf(quotas);
    assert.equal(await allowed(Array.from({ length: 64 }, () => ledger.charge('n', claim()))), 7);
    assert.deepEqual(quotas.used('q'), { things: '10' });
    assert.equal(ledger.isBusy('n'), false);
  });

  it('never lets several servers charge too much', async () => {
    const quotas = new MemoryQuotas(quota('q', { things: '100' }));
    const servers = [ledgerOf(quotas), ledgerOf(quotas), ledgerOf(quotas)];
    const charges = Array.from({ length: 192 }, (_, i) => {
      const ledger = servers[i % servers.length];
      assert.ok(ledger);
      return new Promise((resolve) => setImmediate(resolve)).then(() => ledger.charge('n', claim()));
    });
    assert.equal(await allowed(charges), 100);
    assert.deepEqual(quotas.used('q'), { things: '100' });
  });

  it('refuses nobody for what only the cache still says', async () => {
    const quotas = new MemoryQuotas(quota('q', { things: '1' }, { things: '1' }));
    quotas.set(quota('q', { things: '2' }, { things: '1' }));
    const charges = await ledgerOf(quotas).charge('n', claim());
    assert.deepEqual([...charges.keys()], ['q']);
    assert.deepEqual(quotas.used('q'), { things: '2' });
  });

  it('charges what it has written itself, though the cache may lag behind', async () => {
    const quotas = new MemoryQuotas(quota('q', { things: '9' }));
    const ledger = ledgerOf(quotas);
    const first = ledger.charge('n', claim());
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, ledger.charge('n', claim())]);
    assert.deepEqual(quotas.used('q'), { things: '2' });
    assert.deepEqual(quotas.lists, ['cached', 'cached']);
  });

  it('charges all quotas or none', async () => {
    const quotas = new MemoryQuotas(
      quota('a', { things: '5' }),
      quota('b', { things: '1' }, { things: '1' }),
    );
    await assert.rejects(
      ledgerOf(quotas).charge('n', claim()),
      /exceeded quota: b, requested: things=1, used: things=1/,
    );
    assert.deepEqual(quotas.used('a'), { things: '0' });
  });

  it('gives back what one quota was charged when another was exhausted meanwhile', async () => {
    const quotas = new MemoryQuotas(quota('a', { things: '5' }), quota('b', { things: '1' }));
    const ledger = ledgerOf(quotas);
    quotas.set(quota('b', { things: '1' }, { things: '1' }));
    await assert.rejects(ledger.charge('n', claim()), /exceeded quota: b/);
    while (ledger.isBusy('n')) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(quotas.used('a'), { things: '0' });
    assert.deepEqual(quotas.used('b'), { things: '1' });
  });

  it('counts what quotas cover that were charged before the others had to be looked at again', async () => {
    const both = objectCount(['things', 'others']);
    const usage = both.usage(object({ name: 'x' }), 0);
    const limited = [{ group: '', resource: 'things', matchContains: ['things'], matchScopes: [] }];
    const quotas = new MemoryQuotas(quota('a', { things: '5' }), quota('b', { others: '5' }));
    const ledger = ledgerOf(quotas);
    quotas.set(quota('b', { others: '5' }, { others: '1' }));
    const increase = increaseOf(usage, undefined);
    await ledger.charge('n', { ...claim(), evaluator: both, usage, increase, limited });
    assert.deepEqual([quotas.used('a'), quotas.used('b')], [{ things: '1' }, { others: '2' }]);
  });

  it('does without a quota that has been deleted', async () => {
    const quotas = new MemoryQuotas(quota('q', { things: '5' }));
    quotas.delete('q');
    assert.equal((await ledgerOf(quotas).charge('n', claim())).size, 0);
  });

  it('gives back what it charged, but never below nothing', async () => {
    const quotas = new MemoryQuotas(quota('q', { things: '5' }));
    const ledger = ledgerOf(quotas);
    const charges = await ledger.charge('n', claim());
    await ledger.refund('n', charges);
    assert.deepEqual(quotas.used('q'), { things: '0' });
    await ledger.refund('n', charges);
    assert.deepEqual(quotas.used('q'), { things: '0' });
  });

  it('fails with the store, and goes on with it', async () => {
    const quotas = new MemoryQuotas(quota('q', { things: '5' }));
    const ledger = ledgerOf(quotas);
    quotas.broken = new ApiError('InternalError', 'the store is gone');
    await assert.rejects(ledger.charge('n', claim()), { reason: 'InternalError' });
    await ledger.charge('n', claim());
    assert.deepEqual(quotas.used('q'), { things: '1' });
  });
});
