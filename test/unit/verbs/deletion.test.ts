import assert from 'node:assert/strict';
import type { ObjectMeta } from '../../../src/meta/object.ts';
import type { ResourceDefinition } from '../../../src/schema/model.ts';
import { isFinished, planDeletion, type DeletionContext } from '../../../src/verbs/deletion.ts';
import type { DeleteOptions } from '../../../src/verbs/options/delete-options.ts';

const NOW = Date.parse('2024-05-01T12:00:00Z');
const EARLIER = '2024-05-01T11:59:00Z';

function context(
  options: Partial<DeleteOptions> = {},
  over: Partial<Omit<DeletionContext, 'options' | 'resource'>> & {
    defaultPropagation?: ResourceDefinition['defaultPropagation'];
  } = {},
): DeletionContext {
  const { defaultPropagation = 'background', ...rest } = over;
  return {
    resource: { defaultPropagation } as ResourceDefinition,
    options: {
      dryRun: false,
      gracePeriodSeconds: undefined,
      orphanDependents: undefined,
      propagationPolicy: undefined,
      preconditions: undefined,
      unread: false,
      ...options,
    },
    now: NOW,
    graceSeconds: undefined,
    collectsGarbage: true,
    ...rest,
  };
}

const graceful = { graceSeconds: (asked: number | undefined) => asked ?? 30 };

describe('the rules of deletion', () => {
  it('pass over what is said of dependents where nobody collects them', () => {
    for (const propagationPolicy of ['Foreground', 'Orphan'] as const) {
      const meta: ObjectMeta = { name: 'a' };
      assert.equal(planDeletion(meta, context({ propagationPolicy }, { collectsGarbage: false })), 'remove');
      const kept: ObjectMeta = { name: 'a', finalizers: ['x/y', 'orphan'] };
      assert.equal(planDeletion(kept, context({ propagationPolicy }, { collectsGarbage: false })), 'mark');
      assert.deepEqual(kept.finalizers, ['x/y', 'orphan']);
    }
  });

  it('remove an object that nothing holds', () => {
    const meta: ObjectMeta = { name: 'a' };
    assert.equal(planDeletion(meta, context()), 'remove');
    assert.deepEqual(meta, { name: 'a' });
  });

  it('mark an object with finalizers once, and raise its generation once', () => {
    const meta: ObjectMeta = { name: 'a', generation: 3, finalizers: ['example.org/hold'] };
    assert.equal(planDeletion(meta, context()), 'mark');
    const marked = {
      name: 'a',
      generation: 4,
      finalizers: ['example.org/hold'],
      deletionTimestamp: '2024-05-01T12:00:00Z',
      deletionGracePeriodSeconds: 0,
    };
    assert.deepEqual(meta, marked);
    assert.equal(planDeletion(meta, context({}, { now: NOW + 5000 })), 'mark');
    assert.deepEqual(meta, marked);
  });

  for (const [policy, finalizers] of [
    ['Orphan', ['example.org/hold', 'orphan']],
    ['Foreground', ['example.org/hold', 'foregroundDeletion']],
    ['Background', ['example.org/hold']],
  ] as const) {
    it(`keep one finalizer of garbage collection for propagationPolicy ${policy}`, () => {
      for (const before of [[], ['orphan'], ['foregroundDeletion'], ['orphan', 'foregroundDeletion']]) {
        const meta: ObjectMeta = { finalizers: [...before, 'example.org/hold'] };
        planDeletion(meta, context({ propagationPolicy: policy }));
        assert.deepEqual([...(meta.finalizers ?? [])].sort(), finalizers);
      }
    });
  }

  it('take orphanDependents before the finalizers that are there, and those before the kind', () => {
    const orphan: ObjectMeta = { finalizers: ['foregroundDeletion'] };
    planDeletion(orphan, context({ orphanDependents: true }));
    assert.deepEqual(orphan.finalizers, ['orphan']);
    const kept: ObjectMeta = { finalizers: ['foregroundDeletion'] };
    planDeletion(kept, context({}, { defaultPropagation: 'orphan' }));
    assert.deepEqual(kept.finalizers, ['foregroundDeletion']);
    const kind: ObjectMeta = {};
    assert.equal(planDeletion(kind, context({}, { defaultPropagation: 'orphan' })), 'mark');
    assert.deepEqual(kind.finalizers, ['orphan']);
  });

  it('remove an object whose last finalizer the request itself takes away', () => {
    const meta: ObjectMeta = { finalizers: ['orphan'] };
    assert.equal(planDeletion(meta, context({ orphanDependents: false })), 'remove');
    assert.deepEqual(meta, { finalizers: ['orphan'] }, 'it goes as it was');
  });

  it('never leave a kind without garbage collection waiting for it', () => {
    const meta: ObjectMeta = {};
    const step = planDeletion(
      meta,
      context({ propagationPolicy: 'Foreground' }, { defaultPropagation: 'none' }),
    );
    assert.equal(step, 'remove');
    assert.equal(meta.finalizers, undefined);
  });

  describe('with a grace period', () => {
    it('give it, and end it later', () => {
      const meta: ObjectMeta = { generation: 1 };
      assert.equal(planDeletion(meta, context({}, graceful)), 'mark');
      assert.equal(meta.deletionTimestamp, '2024-05-01T12:00:30Z');
      assert.equal(meta.deletionGracePeriodSeconds, 30);
      assert.equal(meta.generation, 2);
    });

    it('shorten it, never lengthen it', () => {
      const meta: ObjectMeta = { deletionTimestamp: '2024-05-01T12:00:30Z', deletionGracePeriodSeconds: 30 };
      for (const asked of [undefined, 30, 31]) {
        const before = structuredClone(meta);
        assert.equal(planDeletion(meta, context({ gracePeriodSeconds: asked }, graceful)), 'pending');
        assert.deepEqual(meta, before);
      }
      assert.equal(planDeletion(meta, context({ gracePeriodSeconds: 10 }, graceful)), 'mark');
      assert.equal(meta.deletionTimestamp, '2024-05-01T12:00:10Z');
      assert.equal(meta.deletionGracePeriodSeconds, 10);
    });

    it('remove at once for 0 seconds, marked before, and count less as one second', () => {
      const gone: ObjectMeta = { finalizers: ['orphan'] };
      const options = { gracePeriodSeconds: 0, propagationPolicy: 'Background' } as const;
      assert.equal(planDeletion(gone, context(options, graceful)), 'markAndRemove');
      assert.deepEqual(gone, { deletionTimestamp: '2024-05-01T12:00:00Z', deletionGracePeriodSeconds: 0 });
      const meta: ObjectMeta = {};
      assert.equal(planDeletion(meta, context({ gracePeriodSeconds: -7 }, graceful)), 'mark');
      assert.equal(meta.deletionGracePeriodSeconds, 1);
    });

    it('still wait for finalizers at 0 seconds', () => {
      const meta: ObjectMeta = { finalizers: ['example.org/hold'] };
      assert.equal(planDeletion(meta, context({ gracePeriodSeconds: 0 }, graceful)), 'mark');
      assert.equal(meta.deletionGracePeriodSeconds, 0);
    });
  });

  it('take away what a deletion of 0 seconds left marked', () => {
    const meta: ObjectMeta = { deletionTimestamp: EARLIER, deletionGracePeriodSeconds: 0 };
    assert.equal(planDeletion(meta, context({}, graceful)), 'remove');
  });

  it('finish a deletion when the last finalizer goes and no grace period runs', () => {
    const terminating = { deletionTimestamp: EARLIER, deletionGracePeriodSeconds: 0, finalizers: ['x/y'] };
    assert.equal(isFinished({}, terminating), true);
    assert.equal(isFinished({ finalizers: [] }, terminating), true);
    assert.equal(isFinished({ finalizers: ['x/y'] }, terminating), false);
    assert.equal(isFinished({}, { ...terminating, deletionGracePeriodSeconds: 30 }), false);
    assert.equal(isFinished({}, { finalizers: ['x/y'] }), false);
  });
});
