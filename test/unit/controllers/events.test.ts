import assert from 'node:assert/strict';
import { rowOf } from '../../../src/controllers/controller.ts';
import { eventRecorder, type EventNote } from '../../../src/controllers/events.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const EVENTS = '/api/v1/namespaces/default/events';
const NOTE: EventNote = { type: 'Warning', reason: 'Odd', message: 'this is odd' };
const MINUTE_MS = 60_000;

describe('events of controllers', () => {
  let cluster: Cluster;
  let record: ReturnType<typeof eventRecorder>;
  beforeEach(async () => {
    cluster = await Cluster.open();
    record = eventRecorder(
      controllerParts(cluster, 'c', () => undefined),
      'c',
    );
  });
  afterEach(() => cluster.close());

  const about = (uid: string, note: Partial<EventNote> = {}): Promise<void> =>
    record(
      { row: rowOf(cluster.schemas, ['', 'v1', 'pods']), namespace: 'default', name: 'p', uid },
      { ...NOTE, ...note },
    );
  const events = async (): Promise<ApiObject[]> => (await cluster.expect(200, `GET ${EVENTS}`)).items;
  const counts = async (): Promise<unknown[]> => (await events()).map(({ count }) => count);

  it('are counted where they are the same', async () => {
    await about('u');
    cluster.clock.advance(MINUTE_MS);
    await about('u');
    const [event, ...others] = await events();
    assert.deepEqual(others, []);
    assert.equal(event?.['count'], 2);
    assert.deepEqual([event['source'], event['reportingComponent']], [{ component: 'c' }, 'c']);
    assert.equal(event['firstTimestamp'], '2026-11-20T18:57:21Z');
    assert.equal(event['lastTimestamp'], '2026-11-20T18:58:21Z');
  });

  it('are all recorded where they differ, at the same time too', async () => {
    await Promise.all([
      about('u'),
      about('v'),
      about('u', { message: 'still' }),
      about('u', { reason: 'Bad' }),
    ]);
    assert.deepEqual(await counts(), [1, 1, 1, 1]);
  });

  it('are recorded anew when the one before has gone, or was long ago', async () => {
    await about('u');
    await cluster.expect(200, `DELETE ${EVENTS}/${(await events())[0]?.metadata.name}`);
    await about('u');
    assert.deepEqual(await counts(), [1]);
    cluster.clock.advance(11 * MINUTE_MS);
    await about('u');
    assert.deepEqual(await counts(), [1, 1]);
  });
});
