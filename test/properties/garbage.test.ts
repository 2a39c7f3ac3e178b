import fc from 'fast-check';
import { lawRuns } from '../support/laws.ts';
import { Cluster } from '../unit/verbs/cluster.ts';
import { GarbageWorld, type OwnerChoice, type Step } from './garbage-world.ts';

const which = fc.nat(15);
const owner: fc.Arbitrary<OwnerChoice> = fc.record({
  of: which,
  wrong: fc.oneof(
    { weight: 8, arbitrary: fc.constant('nothing' as const) },
    { weight: 1, arbitrary: fc.constant('uid' as const) },
    { weight: 1, arbitrary: fc.constant('name' as const) },
  ),
  blocks: fc.boolean(),
});
const owners = fc.array(owner, { maxLength: 3 });
const kind = <K extends string>(one: K): fc.Arbitrary<K> => fc.constant(one);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: kind('create'),
      place: fc.constantFrom(0, 0, 0, 1, 2, 3),
      owners,
      finalizer: fc.constantFrom('', '', '', '', 'orphan', 'foregroundDeletion'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: kind('own'), of: which, owners }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: kind('delete'),
      of: which,
      policy: fc.constantFrom('Background', 'Foreground', 'Orphan'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: kind('wait'), turns: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ do: kind('restart') }) },
  { weight: 1, arbitrary: fc.record({ do: kind('lose watches') }) },
);

describe('garbage collection', function () {
  this.timeout(0);
  let cluster: Cluster;
  let world: GarbageWorld;

  before(async () => {
    cluster = await Cluster.open();
    await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'other' } } });
    world = new GarbageWorld(cluster);
    world.start();
  });
  after(() => {
    world.stop();
    cluster.close();
  });

  it('leaves nothing behind, and deletes nothing that somebody owns', async () => {
    const steps = fc.array(step, { minLength: 4, maxLength: 30 });
    await fc.assert(
      fc
        .asyncProperty(steps, async (taken) => {
          for (const one of taken) await world.take(one);
          await world.settle();
        })
        .afterEach(() => world.clear()),
      // Each has up to thirty steps, and waits for what comes of them.
      { numRuns: Math.ceil(lawRuns() / 5) },
    );
  });
});
