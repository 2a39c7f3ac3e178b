import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ApiError } from '../../src/errors/api-error.ts';
import type { Revision } from '../../src/meta/revision.ts';
import type { ResourceDefinition } from '../../src/schema/model.ts';
import { StorageError } from '../../src/storage/errors.ts';
import type { Storage } from '../../src/storage/port.ts';
import type { ListPage, StoredEntry, WatchRequest, WatchSubscription } from '../../src/store/object-store.ts';
import { ANY, exactly, fielded, Gateway, labelled, LATEST } from '../contract/object-store-support.ts';
import { cutStorage, type CutStorage } from '../support/cut-storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { EVENTS, LEASES, PODS, thing, type RecordingSink } from '../support/object-store.ts';
import { Informer, pathOf, text, type Followed, type Scope } from './informer.ts';

const NAMES = ['a', 'b', 'c', 'd'] as const;
const NAMESPACES = ['one', 'two'] as const;

const place = fc.record({ namespace: fc.constantFrom(...NAMESPACES), name: fc.constantFrom(...NAMES) });
const content = fc.record({ x: fc.constantFrom('1', '2'), node: fc.constantFrom('n1', 'n2') });

const scope = fc.constantFrom<Scope>(
  { namespace: '' },
  { namespace: 'one' },
  { namespace: '', filter: labelled('x', '1') },
  { namespace: 'two', filter: labelled('x', '2') },
  { namespace: '', filter: fielded('spec.nodeName', 'n1') },
  { namespace: '', filter: { matches: ({ name }) => name === 'a', name: 'a' } },
);

/** The resource of a run, and how much of its past the gateway remembers by itself. */
export const setting = fc.record({
  resource: fc.constantFrom(PODS, EVENTS, LEASES),
  history: fc.constantFrom(
    { bytes: 0, ms: 0 },
    { bytes: 1000, ms: 300_000 },
    { bytes: 1 << 20, ms: 300_000 },
  ),
});

export type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never;

const kind = <K extends string>(name: K): fc.Arbitrary<K> => fc.constant(name);

/** What may happen in a history. */
export const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: kind('put'), place, content }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('remove'), place }) },
  // Another writer: several objects at one revision, in its own order of fields.
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('transact'), names: fc.subarray([...NAMES]), content }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('follow'), scope, by: fc.constantFrom('list', 'pages', 'stream') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('compact'), back: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('cutStorage'), code: fc.constantFrom('compacted', 'unavailable') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('cutClient'), which: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('restart') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('age'), minutes: fc.nat(10) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('look') }) },
);

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Parts {
  readonly clock: ManualClock;
  readonly begin: () => Promise<Gateway>;
  readonly gateway: Gateway;
  readonly cutter: CutStorage;
  readonly revision: Revision;
}

/** One random history: a gateway, another writer, and clients that follow. */
export class ListWatchRun implements Followed {
  readonly #clock: ManualClock;
  readonly #begin: () => Promise<Gateway>;
  #gateway: Gateway;
  readonly #resource: ResourceDefinition;
  readonly #cutter: CutStorage;
  /** The state at each revision that changed it, oldest first. */
  readonly #states: { readonly revision: number; readonly entries: ReadonlyMap<string, StoredEntry> }[];
  readonly #informers: Informer[] = [];
  /** Whether a client may have been told that what it needs is gone. */
  #lost = false;
  #compacted = 0;

  private constructor(parts: Parts, resource: ResourceDefinition) {
    this.#clock = parts.clock;
    this.#begin = parts.begin;
    this.#gateway = parts.gateway;
    this.#cutter = parts.cutter;
    this.#resource = resource;
    this.#states = [{ revision: parts.revision, entries: new Map() }];
  }

  static async start(inner: Storage, root: string, { resource, history }: Setting): Promise<ListWatchRun> {
    const clock = new ManualClock();
    const cutter = cutStorage(inner);
    const { storage } = cutter;
    const subject = { storage, root, close: () => Promise.resolve() };
    const begin = (): Promise<Gateway> => Gateway.start(subject, [resource], { clock, history });
    const gateway = await begin();
    const revision = await storage.currentRevision();
    return new ListWatchRun({ clock, begin, gateway, cutter, revision }, resource);
  }

  close(): void {
    this.#gateway.close();
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'put':
        return this.#put(one.place, one.content);
      case 'remove':
        return this.#remove(one.place);
      case 'transact':
        return this.#transact(one.names, one.content);
      case 'follow':
        return this.#follow(new Informer(this, one));
      case 'compact':
        return this.#compact(one.back);
      case 'cutStorage':
        this.#lost = true;
        return this.#cutter.cut(new StorageError(one.code, 'cut by the test'));
      case 'cutClient':
        return this.#informers[one.which]?.cut();
      case 'restart':
        return this.#restart();
      case 'age':
        return this.#clock.advance(one.minutes * 60_000);
      case 'look':
        return this.#look();
    }
  }

  /** Everybody catches up, and has what a list has. */
  async finish(): Promise<void> {
    const { revision } = await this.listed({ namespace: '' }, 0);
    for (let turns = 0; this.#informers.some(({ position }) => position < revision); turns++) {
      assert.ok(turns < 10_000, 'every watch gets as far as the list');
      await this.listed({ namespace: '' }, 0);
      await this.#timed(turn());
      await this.#look();
    }
    for (const informer of this.#informers) informer.close();
  }

  /** A list of the newest state, in pages if `limit` says so: as of one version, and with what was written by then. */
  async listed(inScope: Scope, limit: number): Promise<Pick<ListPage, 'revision' | 'entries'>> {
    const first = await this.#list(inScope, { at: LATEST, limit });
    const entries = [...first.entries];
    let { continueToken } = first;
    while (continueToken !== undefined) {
      const page = await this.#list(inScope, { at: LATEST, limit, continueToken });
      assert.equal(page.revision, first.revision);
      entries.push(...page.entries);
      continueToken = page.continueToken;
    }
    assert.ok(first.revision >= this.#newest.revision);
    const any = await this.#list(inScope, { at: ANY });
    assert.deepEqual(textsOf(any.entries), this.stateAt(inScope, any.revision));
    return { revision: first.revision, entries };
  }

  watch(inScope: Scope, start: WatchRequest['start'], sink: RecordingSink): Promise<WatchSubscription> {
    const request = { resource: this.#resource, ...inScope, start, markInitialEvents: true };
    return this.#timed(this.#gateway.store.watch(request, sink));
  }

  /** What a client sees as of a revision, by path. */
  stateAt(inScope: Scope, revision: number): Record<string, string> {
    const { namespace, filter } = inScope;
    const state = this.#states.findLast((one) => one.revision <= revision) ?? this.#states[0]!;
    return textsOf(
      [...state.entries.values()]
        .filter((entry) => namespace === '' || entry.namespace === namespace)
        .filter((entry) => filter?.matches(entry) !== false),
    );
  }

  /** A client may lose the thread when the storage did, or has discarded what it needs; never otherwise. */
  expectLoss(error: unknown): void {
    assert.ok(error instanceof ApiError, String(error));
    assert.ok(this.#lost || this.#compacted > 0, error.message);
    assert.ok(error.reason === 'Expired' || error.reason === 'ServiceUnavailable', error.message);
  }

  get #newest() {
    return this.#states.at(-1)!;
  }

  async #follow(informer: Informer): Promise<void> {
    this.#informers.push(informer);
    await informer.start();
  }

  async #look(): Promise<void> {
    for (const informer of this.#informers) await informer.look();
  }

  async #put(
    at: { namespace: string; name: string },
    { x, node }: { x: string; node: string },
  ): Promise<void> {
    const resource = this.#resource;
    const { store } = this.#gateway;
    const written = store.write({
      resource,
      ...at,
      attempt(current) {
        const object = current === undefined ? thing(resource, at.name, at) : store.decode(current, resource);
        object.metadata.labels = { x };
        object['spec'] = { nodeName: node };
        return Promise.resolve({ action: 'put', object });
      },
    });
    const { action, entry } = await this.#timed(written);
    if (action !== 'unchanged') this.#changed(entry!.revision, [[`${at.namespace}/${at.name}`, entry]]);
  }

  async #remove(at: { namespace: string; name: string }): Promise<void> {
    const written = this.#gateway.store.write({
      resource: this.#resource,
      ...at,
      attempt: (current) => Promise.resolve({ action: current === undefined ? 'keep' : 'delete' }),
    });
    const { action, entry } = await this.#timed(written);
    if (action === 'deleted') this.#changed(entry!.revision, [[`${at.namespace}/${at.name}`, undefined]]);
  }

  async #transact(names: readonly string[], { x, node }: { x: string; node: string }): Promise<void> {
    if (names.length === 0) return;
    const prefix = `${this.#gateway.subject.root}${this.#resource.storage!.prefix}/one/`;
    const { revision } = await this.#gateway.storage.transact({
      conditions: [],
      operations: names.map((name) => {
        const spec = { nodeName: node };
        const { metadata, ...rest } = thing(this.#resource, name, { namespace: 'one', labels: { x }, spec });
        return { op: 'put', key: prefix + name, value: Buffer.from(JSON.stringify({ ...rest, metadata })) };
      }),
    });
    const entries = names.map((name) => {
      const at = exactly(revision);
      return this.#gateway.get(this.#resource, name, { namespace: 'one', at });
    });
    const found = await this.#timed(Promise.all(entries));
    this.#changed(
      revision,
      names.map((name, i) => [`one/${name}`, found[i]]),
    );
  }

  #changed(revision: number, changes: readonly (readonly [string, StoredEntry | undefined])[]): void {
    const entries = new Map(this.#newest.entries);
    for (const [path, entry] of changes) {
      if (entry === undefined) entries.delete(path);
      else entries.set(path, entry);
    }
    this.#states.push({ revision, entries });
  }

  async #compact(back: number): Promise<void> {
    const state = this.#states.at(-1 - back);
    if (state === undefined || state === this.#states[0] || state.revision <= this.#compacted) return;
    this.#compacted = state.revision;
    await this.#gateway.storage.compact(state.revision as Revision);
  }

  /** Another gateway takes over, which has yet to read what is stored when its first clients come. */
  async #restart(): Promise<void> {
    for (const informer of this.#informers) {
      await informer.look();
      informer.close();
    }
    this.#gateway.close();
    this.#gateway = await this.#begin();
    for (const informer of this.#informers) await informer.cut();
  }

  #list(inScope: Scope, request: Parameters<Gateway['list']>[1]): Promise<ListPage> {
    return this.#timed(this.#gateway.list(this.#resource, { ...inScope, ...request }));
  }

  /** Waits while time passes, because much of what is waited for is due at some time. */
  async #timed<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    const note = (): void => void (done = true);
    promise.then(note, note);
    while (!done) {
      await turn();
      this.#clock.advance(10);
    }
    return promise;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function textsOf(entries: readonly StoredEntry[]): Record<string, string> {
  return Object.fromEntries(entries.map((entry) => [pathOf(entry), text(entry)]));
}
