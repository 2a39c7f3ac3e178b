import assert from 'node:assert/strict';
import { lead, LeadLostError, type LeadOptions } from '../../../src/client/election/lead.ts';
import type { Lease, Leases } from '../../../src/client/election/lease-lock.ts';
import { StatusError } from '../../../src/client/status-error.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function refusal(reason: string, code: number): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code });
}

/** One Lease, with the rules of the API. */
class OneLease implements Leases {
  lease: Lease | undefined;
  down = false;
  #version = 0;

  get(): Promise<Lease> {
    if (this.down) return Promise.reject(new Error('down'));
    return this.lease === undefined ? Promise.reject(refusal('NotFound', 404)) : Promise.resolve(this.lease);
  }

  create(lease: Lease): Promise<Lease> {
    if (this.lease !== undefined) return Promise.reject(refusal('AlreadyExists', 409));
    return this.#write(lease);
  }

  update(lease: Lease): Promise<Lease> {
    if (lease.metadata.resourceVersion !== this.lease?.metadata.resourceVersion)
      return Promise.reject(refusal('Conflict', 409));
    return this.#write(lease);
  }

  #write(lease: Lease): Promise<Lease> {
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++this.#version) } };
    return Promise.resolve(this.lease);
  }
}

interface Run {
  readonly running: Promise<void>;
  readonly stop: AbortController;
  readonly log: string[];
}

function candidate(
  leases: Leases,
  clock: ManualClock,
  identity: string,
  more: Partial<LeadOptions> = {},
): Run {
  const stop = new AbortController();
  const log: string[] = [];
  const running = lead({
    leases,
    name: 'l',
    identity,
    clock,
    random: () => 0,
    signal: stop.signal,
    onNewLeader: (leader) => log.push(`leader ${leader}`),
    work: (signal) => {
      log.push('works');
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          log.push('ends');
          reject(signal.reason as Error);
        }),
      );
    },
    ...more,
  });
  running.catch(() => undefined);
  return { running, stop, log };
}

async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    clock.advance(500);
  }
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
}

describe('lead', () => {
  it('has one candidate lead, and the next when that gives up', async () => {
    const [leases, clock] = [new OneLease(), new ManualClock(Date.UTC(2026, 0, 1))];
    const a = candidate(leases, clock, 'a');
    await pass(clock, 500);
    const b = candidate(leases, clock, 'b');
    await pass(clock, 60_000);
    assert.deepEqual([a.log, b.log], [['leader a', 'works'], ['leader a']]);
    assert.deepEqual(leases.lease?.spec, {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:01:00.000000Z',
      leaseTransitions: 0,
    });
    a.stop.abort(new Error('enough'));
    await a.running;
    assert.deepEqual(a.log, ['leader a', 'works', 'ends']);
    await pass(clock, 3000);
    assert.deepEqual(b.log.slice(-2), ['leader b', 'works']);
    assert.equal(leases.lease.spec.leaseTransitions, 1);
    b.stop.abort();
    await b.running;
  });

  it('renews as seldom as it is told, and tries again sooner where that fails', async () => {
    const [leases, clock] = [new OneLease(), new ManualClock(Date.UTC(2026, 0, 1))];
    const a = candidate(leases, clock, 'a', { renewPeriod: 6000 });
    const renewed = (): unknown => leases.lease?.spec?.renewTime;
    await pass(clock, 5500);
    assert.equal(renewed(), '2026-01-01T00:00:00.000000Z');
    await pass(clock, 1000);
    assert.equal(renewed(), '2026-01-01T00:00:06.000000Z');
    leases.down = true;
    await pass(clock, 6500);
    leases.down = false;
    await pass(clock, 2000);
    assert.equal(renewed(), '2026-01-01T00:00:14.000000Z');
    a.stop.abort();
    await a.running;
    assert.deepEqual(a.log, ['leader a', 'works', 'ends']);
  });

  it('takes over from a leader that is silent, but no sooner than after the lease', async () => {
    const [leases, clock] = [new OneLease(), new ManualClock()];
    await leases.create({
      metadata: { name: 'l' },
      spec: { holderIdentity: 'gone', leaseDurationSeconds: 15 },
    });
    const b = candidate(leases, clock, 'b');
    await pass(clock, 14_000);
    assert.deepEqual(b.log, ['leader gone']);
    await pass(clock, 4000);
    assert.deepEqual(b.log, ['leader gone', 'leader b', 'works']);
    b.stop.abort();
    await b.running;
  });

  it('ends the work when it can not renew in time, or somebody else has the lease', async () => {
    const [leases, clock] = [new OneLease(), new ManualClock()];
    const a = candidate(leases, clock, 'a');
    await pass(clock, 3000);
    leases.down = true;
    await pass(clock, 8000);
    assert.deepEqual(a.log, ['leader a', 'works']);
    await pass(clock, 4000);
    assert.deepEqual(a.log, ['leader a', 'works', 'ends']);
    await assert.rejects(a.running, LeadLostError);
    leases.down = false;
    leases.lease = undefined;
    const b = candidate(leases, clock, 'b');
    await pass(clock, 500);
    const taken = leases.lease as Lease | undefined;
    assert.ok(taken);
    await leases.update({ ...taken, spec: { ...taken.spec, holderIdentity: 'thief' } });
    await pass(clock, 3000);
    await assert.rejects(b.running, LeadLostError);
  });

  it('returns when the work is done, throws what it throws, and refuses times that can not work', async () => {
    const [leases, clock] = [new OneLease(), new ManualClock()];
    await candidate(leases, clock, 'a', { work: () => Promise.resolve() }).running;
    assert.equal(leases.lease?.spec?.holderIdentity, '');
    const failing = candidate(leases, clock, 'a', { work: () => Promise.reject(new Error('mistake')) });
    await assert.rejects(failing.running, /mistake/);
    await assert.rejects(candidate(leases, clock, 'a', { renewDeadline: 20_000 }).running, RangeError);
  });
});
