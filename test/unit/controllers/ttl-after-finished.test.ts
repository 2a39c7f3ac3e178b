import assert from 'node:assert/strict';
import { endOf, ttlAfterFinished } from '../../../src/controllers/ttl-after-finished/controller.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import { ControllerWorld } from './running-controller.ts';

const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const TIME = '2026-11-20T18:57:21Z';

function job(status: object | undefined, ttlSecondsAfterFinished?: number, metadata: object = {}): ApiObject {
  const spec = {
    ...(ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished }),
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', ...metadata },
    spec,
    status,
  } as ApiObject;
}

function condition(type: string, status = 'True', ...more: string[]): { conditions: object[] } {
  const conditions = [...more, type].map((one) => ({
    ...{ type: one, status, lastTransitionTime: TIME, lastProbeTime: TIME },
  }));
  return { conditions };
}

describe('ttl-after-finished-controller', () => {
  const ends: [string, ApiObject, number][] = [
    ['is complete', job(condition('Complete'), 10), 10_000],
    ['has failed', job(condition('Failed'), 0), 0],
    ['runs', job(condition('Complete', 'False'), 10), Infinity],
    ['is suspended', job(condition('Suspended'), 10), Infinity],
    ['has just begun', job(undefined, 10), Infinity],
    ['says nothing', job(condition('Complete')), Infinity],
    ['is being deleted', job(condition('Complete'), 10, { deletionTimestamp: TIME }), Infinity],
  ];
  for (const [what, object, after] of ends) {
    it(`knows the end of a Job that ${what}`, () => {
      assert.equal(endOf(object), after === Infinity ? Infinity : Date.parse(TIME) + after);
    });
  }

  it('deletes a Job at its time, and not before; later where it says so meanwhile', async () => {
    const world = await ControllerWorld.open();
    try {
      await world.create(JOBS, job(undefined, 10));
      await world.create(JOBS, job(undefined, undefined, { name: 'stays' }));
      world.start(ttlAfterFinished);
      for (const name of ['j', 'stays']) {
        await world.merge(`${JOBS}/${name}/status`, {
          status: {
            ...condition('Complete', 'True', 'SuccessCriteriaMet'),
            startTime: TIME,
            completionTime: TIME,
            succeeded: 1,
          },
        });
      }
      await world.settle();
      world.cluster.clock.advance(9000);
      await world.settle();
      await world.merge(`${JOBS}/j`, { spec: { ttlSecondsAfterFinished: 20 } });
      await world.settle();
      world.cluster.clock.advance(9000);
      await world.settle();
      assert.equal((await world.read(`${JOBS}/j`))?.metadata.deletionTimestamp, undefined);
      world.cluster.clock.advance(2000);
      const deleted = await world.becomes(
        `${JOBS}/j`,
        (object) => object?.metadata.deletionTimestamp !== undefined,
      );
      assert.deepEqual(deleted?.metadata.finalizers, ['foregroundDeletion']);
      assert.equal((await world.read(`${JOBS}/stays`))?.metadata.deletionTimestamp, undefined);
    } finally {
      world.close();
    }
  });
});
