import assert from 'node:assert/strict';
import { Informer, type InformerOptions } from '../../../src/client/informer/informer.ts';
import type { ListWatch } from '../../../src/client/informer/reflector.ts';
import type { KubeObject, WatchEvent } from '../../../src/client/kinds.ts';
import type { ListOptions, WatchOptions } from '../../../src/client/resource/options.ts';
import type { ListPiece } from '../../../src/client/resource/read-list.ts';
import { StatusError } from '../../../src/client/status-error.ts';
import { ManualClock } from '../../support/manual-clock.ts';

interface Thing extends KubeObject {
  color?: string;
}

function thing(name: string, version: string, more: { uid?: string; color?: string } = {}): Thing {
  const { uid = name, ...rest } = more;
  return { metadata: { name, namespace: 'n', uid, resourceVersion: version }, ...rest };
}

function refusal(reason: string, code: number): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code });
}

type Step =
  | { list: Thing[]; version: string }
  | { events: WatchEvent<Thing>[]; then?: 'stay' | Error }
  | { fail: Error };

/** A server that answers as a test says, one request after the other. */
class Script implements ListWatch<Thing> {
  readonly asked: object[] = [];
  readonly #steps: Step[];

  constructor(steps: Step[]) {
    this.#steps = steps;
  }

  async *pages({ signal: _, ...options }: ListOptions): AsyncGenerator<ListPiece<Thing>> {
    this.asked.push({ list: options });
    const step = await Promise.resolve(this.#steps.shift());
    assert.ok(step !== undefined && !('events' in step), 'a list was not expected');
    if ('fail' in step) throw step.fail;
    yield { items: step.list };
    yield { items: [], metadata: { resourceVersion: step.version } };
  }

  async *watch({ signal, timeoutSeconds: _, ...options }: WatchOptions): AsyncGenerator<WatchEvent<Thing>> {
    this.asked.push({ watch: options });
    const step = await Promise.resolve(this.#steps.shift() ?? { events: [] });
    assert.ok(!('list' in step), 'a watch was not expected');
    if ('fail' in step) throw step.fail;
    yield* step.events;
    if (step.then instanceof Error) throw step.then;
    await new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  }
}

async function run(
  steps: Step[],
  options: Partial<InformerOptions<Thing>> & { until: (told: string[]) => boolean },
): Promise<{ told: string[]; asked: object[]; errors: string[]; informer: Informer<Thing> }> {
  const told: string[] = [];
  const errors: string[] = [];
  const clock = new ManualClock();
  const resource = new Script(steps);
  const informer = new Informer<Thing>({
    resource,
    clock,
    random: () => 0,
    onError: (error) => errors.push((error as Error).message),
    ...options,
  });
  informer.handle({
    added: ({ metadata }) => told.push(`+${metadata.name}`),
    updated: (before, { metadata }) =>
      told.push(`${before.metadata.resourceVersion}>${metadata.resourceVersion} ${metadata.name}`),
    deleted: ({ metadata }) => told.push(`-${metadata.name}@${metadata.resourceVersion}`),
  });
  informer.start();
  for (let turns = 0; !options.until(told); turns++) {
    assert.ok(turns < 1000, `told only ${told.join(' ')}; ${errors.join(' ')}`);
    await new Promise(setImmediate);
    const delay = clock.pending[0];
    if (delay !== undefined && delay < 100_000) clock.advance(delay);
  }
  await informer.stop();
  return { told, asked: resource.asked, errors, informer };
}

const watched = (resourceVersion: string): object => ({
  watch: { labelSelector: undefined, fieldSelector: undefined, allowWatchBookmarks: true, resourceVersion },
});
const listed = { list: { labelSelector: undefined, fieldSelector: undefined, limit: 500 } };

describe('Informer', () => {
  it('lists, then watches from there, and tells what changes', async () => {
    const { told, asked, informer } = await run(
      [
        { list: [thing('a', '1'), thing('b', '2')], version: '5' },
        {
          events: [
            { type: 'ADDED', object: thing('c', '6') },
            { type: 'MODIFIED', object: thing('a', '7') },
            { type: 'DELETED', object: thing('b', '8') },
          ],
        },
      ],
      { until: (all) => all.includes('-b@8') },
    );
    assert.deepEqual(told, ['+a', '+b', '+c', '1>7 a', '-b@8']);
    assert.deepEqual(asked, [listed, watched('5')]);
    assert.deepEqual([...informer.cache.keys()], ['n/a', 'n/c']);
    assert.equal(informer.hasSynced, true);
    await informer.synced();
  });

  it('goes on after the last event or bookmark when a watch breaks', async () => {
    const cut = new Error('cut');
    const { told, asked, errors } = await run(
      [
        { list: [], version: '5' },
        { events: [{ type: 'ADDED', object: thing('a', '6') }], then: cut },
        { events: [{ type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } }], then: cut },
        { fail: new Error('refused') },
        { events: [{ type: 'MODIFIED', object: thing('a', '10') }] },
      ],
      { until: (all) => all.includes('6>10 a') },
    );
    assert.deepEqual(told, ['+a', '6>10 a']);
    assert.deepEqual(asked, [listed, watched('5'), watched('6'), watched('9'), watched('9')]);
    assert.deepEqual(errors, ['cut', 'cut', 'refused']);
  });

  it('lists anew where a version is too old, and tells the difference', async () => {
    for (const expired of [refusal('Expired', 410), refusal('Gone', 410)]) {
      const { told, asked } = await run(
        [
          { list: [thing('a', '1'), thing('b', '2'), thing('c', '3')], version: '5' },
          { events: [], then: expired },
          { list: [thing('b', '2'), thing('c', '8', { uid: 'other' }), thing('d', '9')], version: '9' },
          { events: [] },
        ],
        { until: (all) => all.includes('-a@1') },
      );
      assert.deepEqual(told, ['+a', '+b', '+c', '-c@3', '+c', '+d', '-a@1']);
      assert.deepEqual(asked.slice(0, 3), [listed, watched('5'), listed]);
    }
  });

  it('lists in one piece where a token expires between pages', async () => {
    const { asked } = await run(
      [{ fail: refusal('Expired', 410) }, { list: [thing('a', '1')], version: '5' }, { events: [] }],
      { until: (all) => all.length > 0 },
    );
    assert.deepEqual(asked[1], {
      list: { labelSelector: undefined, fieldSelector: undefined, limit: undefined },
    });
  });

  it('takes the initial state from a watch, and lists where the server does not know that', async () => {
    const end = { 'k8s.io/initial-events-end': 'true' };
    const added: WatchEvent<Thing> = { type: 'ADDED', object: thing('a', '3') };
    const streamed = await run(
      [
        { events: [added], then: new Error('cut') },
        {
          events: [
            added,
            { type: 'BOOKMARK', object: { metadata: { resourceVersion: '5', annotations: end } } },
          ],
          then: new Error('cut'),
        },
        { events: [{ type: 'DELETED', object: thing('a', '6') }] },
      ],
      { initial: 'stream', until: (all) => all.includes('-a@6') },
    );
    assert.deepEqual(streamed.told, ['+a', '-a@6']);
    const start = {
      watch: {
        labelSelector: undefined,
        fieldSelector: undefined,
        allowWatchBookmarks: true,
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
      },
    };
    assert.deepEqual(streamed.asked, [start, start, watched('5')]);
    const fallen = await run(
      [{ fail: refusal('Invalid', 422) }, { list: [thing('a', '3')], version: '5' }, { events: [] }],
      {
        initial: 'stream',
        until: (all) => all.length > 0,
      },
    );
    assert.deepEqual(fallen.asked.slice(0, 2), [start, listed]);
    assert.deepEqual(fallen.errors, []);
  });

  it('waits longer after each failure', async () => {
    const clock = new ManualClock();
    const delays: number[] = [];
    const informer = new Informer<Thing>({
      resource: new Script(Array.from({ length: 8 }, () => ({ fail: new Error('down') }))),
      clock,
      random: () => 0.5,
    }).start();
    while (delays.length < 8) {
      await new Promise(setImmediate);
      const [delay] = clock.pending;
      if (delay === undefined) continue;
      delays.push(delay);
      clock.advance(delay);
    }
    assert.deepEqual(delays, [600, 1200, 2400, 4800, 9600, 19_200, 22_500, 22_500]);
    await informer.stop();
  });

  it('rejects whoever waits for it when it is stopped, and asks no more', async () => {
    const resource = new Script([{ fail: new Error('down') }]);
    const informer = new Informer<Thing>({ resource, clock: new ManualClock() }).start();
    const waiting = informer.synced();
    await Promise.all([assert.rejects(waiting, /stopped/), informer.stop()]);
    assert.equal(resource.asked.length, 1);
  });

  it('finds objects by indexes, and keeps of them what the transform leaves', async () => {
    const { informer } = await run(
      [
        { list: [thing('a', '1', { color: 'red' }), thing('b', '2', { color: 'red' })], version: '5' },
        {
          events: [
            { type: 'MODIFIED', object: thing('a', '6', { color: 'blue' }) },
            { type: 'ADDED', object: thing('c', '7') },
          ],
        },
      ],
      {
        indexes: { color: ({ color }) => (color === undefined ? [] : [color]) },
        transform: (object) => ({ ...object, kept: true }) as Thing,
        until: (all) => all.includes('+c'),
      },
    );
    const names = (color: string): unknown[] =>
      informer.cache.byIndex('color', color).map(({ metadata }) => metadata.name);
    assert.deepEqual([names('red'), names('blue'), names('green')], [['b'], ['a'], []]);
    assert.equal((informer.cache.get('n/a') as { kept?: boolean }).kept, true);
    assert.throws(() => informer.cache.byIndex('size', '1'), /no index size/);
  });

  it('tells a later handler what is there, and is not disturbed by one that throws', async () => {
    const { informer, errors } = await run([{ list: [thing('a', '1')], version: '5' }, { events: [] }], {
      until: (all) => all.length > 0,
    });
    const told: unknown[] = [];
    const end = informer.handle({ added: ({ metadata }) => told.push(metadata.name) });
    informer.handle({
      added: () => {
        throw new Error('mistake');
      },
    });
    end();
    assert.deepEqual(told, ['a']);
    assert.deepEqual(errors, ['mistake']);
  });
});
