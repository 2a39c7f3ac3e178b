import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ApiError } from '../../src/errors/api-error.ts';
import type { Revision } from '../../src/meta/revision.ts';
import type { ResourceDefinition } from '../../src/schema/model.ts';
import type {
  EntryFilter,
  StoredEntry,
  WatchRequest,
  WatchSubscription,
} from '../../src/store/object-store.ts';
import { EVENTS, LEASES, PODS, thing, type RecordingSink } from '../support/object-store.ts';
import {
  after,
  ANY,
  exactly,
  fielded,
  Gateway,
  labelled,
  LATEST,
  refusedWith,
  type Declare,
} from './object-store-support.ts';

/** Histories played for each resource; more in a soak. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 20);

const NAMES = ['a', 'b', 'c', 'd'] as const;
const NAMESPACES = ['one', 'two'] as const;

const place = fc.record({ namespace: fc.constantFrom(...NAMESPACES), name: fc.constantFrom(...NAMES) });
const content = fc.record({ x: fc.constantFrom('1', '2'), node: fc.constantFrom('n1', 'n2', '') });
const scope = fc.constantFrom<Scope>(
  { namespace: '', filter: undefined },
  { namespace: 'one', filter: undefined },
  { namespace: '', filter: labelled('x', '1') },
  { namespace: 'two', filter: labelled('x', '2') },
  { namespace: '', filter: fielded('spec.nodeName', 'n1') },
  { namespace: '', filter: { matches: (entry) => entry.name === 'a', name: 'a' } },
);

const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), place, content, by: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), place, by: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('transact' as const),
      names: fc.uniqueArray(fc.constantFrom(...NAMES)),
      content,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('watch' as const),
      scope,
      by: fc.nat(1),
      back: fc.integer({ min: -1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      scope,
      by: fc.nat(1),
      back: fc.nat(6),
      limit: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const), back: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('lose' as const, 'withhold' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), joined: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Scope {
  readonly namespace: string;
  readonly filter: EntryFilter | undefined;
}

/** A watch of the test, and what it started from. */
interface Watch {
  readonly scope: Scope;
  readonly sink: RecordingSink;
  readonly subscription: WatchSubscription;
  /** Undefined: from a state. */
  readonly from: Revision | undefined;
}

/** Random histories: at every revision that a watch tells, it has told what a list at that revision has. */
export function declareModel(it: Declare): void {
  for (const resource of [PODS, EVENTS, LEASES]) {
    it(`watches of ${resource.resource} and lists tell the same story`, async (g, test) => {
      test.timeout(300_000);
      let round = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { minLength: 5, maxLength: 50, size: 'max' }),
          async (commands) => {
            await new Run(g, resource, `/run${round++}`).play(commands);
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
    });
  }
}

class Run {
  readonly #base: Gateway;
  readonly #resource: ResourceDefinition;
  readonly #root: string;
  #gateways: Gateway[] = [];
  /** State at each revision that changed it: path → text. */
  readonly #states: { revision: Revision; state: Map<string, StoredEntry> }[] = [];
  readonly #watches: Watch[] = [];
  #compacted = 0;
  #lost = false;

  constructor(base: Gateway, resource: ResourceDefinition, root: string) {
    this.#base = base;
    this.#resource = resource;
    this.#root = root;
  }

  async play(commands: readonly Command[]): Promise<void> {
    const { subject } = this.#base;
    const own = { ...subject, root: subject.root + this.#root };
    this.#gateways = await Promise.all(
      [1, 2].map(() => Gateway.start(own, [this.#resource], { readWaitMs: 20 })),
    );
    try {
      this.#states.push({ revision: await this.#newest(), state: new Map() });
      for (const one of commands) await this.#do(one);
      await this.#finish();
      for (const watch of this.#watches) this.#checkWatch(watch);
    } finally {
      subject.chaos?.release(false);
      for (const gateway of this.#gateways) gateway.close();
    }
  }

  async #do(one: Command): Promise<void> {
    switch (one.kind) {
      case 'put':
        return this.#put(one.by, one.place, one.content);
      case 'remove':
        return this.#remove(one.by, one.place);
      case 'transact':
        return this.#transact(one.names, one.content);
      case 'watch':
        return this.#watch(one.by, one.scope, one.back);
      case 'list':
        return this.#list(one);
      case 'compact':
        return this.#compact(one.back);
      case 'lose':
        this.#lost = true;
        return this.#base.subject.chaos?.loseWatches();
      case 'withhold':
        return this.#base.subject.chaos?.withhold();
      case 'release':
        return this.#base.subject.chaos?.release(one.joined);
      case 'pause':
        return new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #put(
    by: number,
    at: { namespace: string; name: string },
    { x, node }: { x: string; node: string },
  ): Promise<void> {
    const resource = this.#resource;
    const { store } = this.#gateways[by]!;
    const { action, entry } = await store.write({
      resource,
      ...at,
      attempt(current) {
        const object = current === undefined ? thing(resource, at.name, at) : store.decode(current, resource);
        object.metadata.labels = { x };
        object['spec'] = node === '' ? {} : { nodeName: node };
        return Promise.resolve({ action: 'put', object });
      },
    });
    if (action !== 'unchanged') this.#change(entry!.revision, [[`${at.namespace}/${at.name}`, entry]]);
  }

  async #remove(by: number, at: { namespace: string; name: string }): Promise<void> {
    const { store } = this.#gateways[by]!;
    const { action, entry } = await store.write({
      resource: this.#resource,
      ...at,
      attempt: (current) => Promise.resolve({ action: current === undefined ? 'keep' : 'delete' }),
    });
    if (action === 'deleted') this.#change(entry!.revision, [[`${at.namespace}/${at.name}`, undefined]]);
  }

  /** Several objects at one revision, as a foreign writer might, in its own order of fields. */
  async #transact(names: readonly string[], { x, node }: { x: string; node: string }): Promise<void> {
    if (names.length === 0) return;
    const { root } = this.#gateways[0]!.subject;
    const prefix = `${root}${this.#resource.storage!.prefix}/one/`;
    const result = await this.#base.storage.transact({
      conditions: [],
      operations: names.map((name) => {
        const { metadata, ...rest } = thing(this.#resource, name, {
          namespace: 'one',
          labels: { x },
          spec: { nodeName: node },
        });
        return { op: 'put', key: prefix + name, value: Buffer.from(JSON.stringify({ ...rest, metadata })) };
      }),
    });
    const entries = await Promise.all(
      names.map((name) => {
        const at = exactly(result.revision);
        return this.#gateways[1]!.store.get({ resource: this.#resource, namespace: 'one', name, at });
      }),
    );
    this.#change(
      result.revision,
      names.map((name, i) => [`one/${name}`, entries[i]]),
    );
  }

  #change(revision: Revision, changes: readonly (readonly [string, StoredEntry | undefined])[]): void {
    const state = new Map(this.#states.at(-1)!.state);
    for (const [path, entry] of changes) {
      if (entry === undefined) state.delete(path);
      else state.set(path, entry);
    }
    this.#states.push({ revision, state });
  }

  async #watch(by: number, inScope: Scope, back: number): Promise<void> {
    const from = back < 0 ? undefined : this.#past(back);
    const start: WatchRequest['start'] =
      from === undefined ? { from: 'state', at: back === -1 ? LATEST : ANY } : after(from);
    const { namespace, filter } = inScope;
    try {
      const opened = await this.#gateways[by]!.watch(this.#resource, {
        namespace,
        start,
        markInitialEvents: from === undefined,
        ...(filter === undefined ? {} : { filter }),
      });
      this.#watches.push({ ...opened, scope: inScope, from });
    } catch (error) {
      this.#expectExpired(error);
    }
  }

  async #list({ by, scope: inScope, back, limit }: Extract<Command, { kind: 'list' }>): Promise<void> {
    const { namespace, filter } = inScope;
    const request = { namespace, ...(filter === undefined ? {} : { filter }) };
    const gateway = this.#gateways[by]!;
    const latest = await gateway.list(this.#resource, request);
    assert.ok(latest.revision >= this.#states.at(-1)!.revision);
    assert.deepEqual(latest.entries.map(text), this.#expected(inScope, latest.revision));
    const any = await gateway.list(this.#resource, { ...request, at: ANY });
    if (any.revision >= this.#states[0]!.revision) {
      assert.deepEqual(any.entries.map(text), this.#expected(inScope, any.revision));
    }
    const revision = this.#past(back);
    const past = this.#pages(gateway, { ...request, at: exactly(revision), limit });
    if (revision < this.#compacted) await refusedWith('Expired', past);
    else assert.deepEqual(await past, this.#expected(inScope, revision));
  }

  async #pages(gateway: Gateway, request: Parameters<Gateway['list']>[1]): Promise<string[]> {
    const found: string[] = [];
    let page = await gateway.list(this.#resource, request);
    found.push(...page.entries.map(text));
    while (page.continueToken !== undefined) {
      page = await gateway.list(this.#resource, {
        ...request,
        at: LATEST,
        continueToken: page.continueToken,
      });
      found.push(...page.entries.map(text));
    }
    return found;
  }

  async #compact(back: number): Promise<void> {
    const revision = this.#past(back);
    if (revision <= this.#compacted || revision <= this.#states[0]!.revision) return;
    this.#compacted = revision;
    await this.#base.storage.compact(revision);
  }

  /** An object that every watch sees marks the end. */
  async #finish(): Promise<void> {
    this.#base.subject.chaos?.release(false);
    for (const namespace of NAMESPACES) {
      for (const x of ['1', '2']) await this.#put(0, { namespace, name: 'a' }, { x, node: 'n1' });
      await this.#put(0, { namespace, name: 'a' }, { x: namespace === 'one' ? '1' : '2', node: 'n1' });
    }
    const final = await this.#newest();
    for (const { sink, subscription } of this.#watches) {
      while (sink.ended === undefined && subscription.revision < final) {
        await this.#gateways[0]!.list(this.#resource);
        await this.#gateways[1]!.list(this.#resource);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
  }

  /** Replays a watch: after each batch its objects are those of a list at the batch's revision. */
  #checkWatch({ scope: inScope, sink, from }: Watch): void {
    if (sink.ended !== undefined) this.#expectExpired(sink.ended.error);
    const state = new Map(
      from === undefined ? [] : this.#visible(inScope, from).map((e) => [pathOf(e), text(e)]),
    );
    let position: number = from ?? 0;
    for (const { events, revision, initialEventsEnd } of sink.batches) {
      for (const { type, entry } of events) {
        const path = pathOf(entry);
        assert.equal(state.has(path), type !== 'ADDED', `${type} ${path}@${entry.revision}`);
        if (type === 'DELETED') state.delete(path);
        else state.set(path, text(entry));
        if (initialEventsEnd !== true && revision !== 0) {
          assert.ok(entry.revision > (from ?? 0) && entry.revision <= revision, 'in order');
        }
        assert.match(text(entry), new RegExp(`"resourceVersion":"${entry.revision}"`));
      }
      if (revision === 0) continue;
      assert.ok(revision >= position, 'batches go forward');
      position = revision;
      assert.deepEqual(
        [...state.values()].sort(),
        this.#expected(inScope, revision).sort(),
        `at ${revision}`,
      );
    }
  }

  #expectExpired(error: unknown): void {
    assert.ok(error instanceof ApiError && error.reason === 'Expired', String(error));
    assert.ok(this.#compacted > 0 || this.#lost, 'nothing was compacted');
  }

  #expected(inScope: Scope, revision: Revision): string[] {
    return this.#visible(inScope, revision).map(text);
  }

  #visible({ namespace, filter }: Scope, revision: Revision): StoredEntry[] {
    const { state } = this.#states.findLast((one) => one.revision <= revision)!;
    return [...state]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, entry]) => entry)
      .filter((entry) => namespace === '' || entry.namespace === namespace)
      .filter((entry) => filter === undefined || filter.matches(entry));
  }

  #past(back: number): Revision {
    return this.#states[Math.max(0, this.#states.length - 1 - back)]!.revision;
  }

  #newest(): Promise<Revision> {
    return this.#base.storage.currentRevision();
  }
}

function pathOf({ namespace, name }: StoredEntry): string {
  return `${namespace}/${name}`;
}

function text(entry: StoredEntry): string {
  return entry.bytes().bytes.toString();
}
