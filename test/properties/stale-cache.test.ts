import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ApiObject, JsonObject } from '../../src/meta/object.ts';
import { lawRuns } from '../support/laws.ts';
import { Cluster, type TestRequest } from '../unit/verbs/cluster.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const NAMES = ['a', 'b'] as const;
const VALUES = ['1', '2'] as const;

/** Which version or uid a request demands: of the newest object, of an older one, of none. */
const demand = fc.constantFrom('', 'newest', 'older', 'wrong');
const name = fc.constantFrom(...NAMES);
const value = fc.constantFrom(...VALUES);
const finalizer = fc.boolean();
const kind = <K extends string>(one: K): fc.Arbitrary<K> => fc.constant(one);

const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kind('create'), name, value, finalizer }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('update'), name, value, finalizer, version: demand }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('merge'), name, value, version: demand }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('test'), name, value, expected: value }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('apply'),
      name,
      value,
      manager: name,
      force: fc.boolean(),
      twice: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('delete'), name, version: demand, uid: demand }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('deleteAll'), name, value }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('get'), name }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('list') }) },
);

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** A request to one of two gateways, and whether the watch tells them what was written before it. */
const step = fc.record({ operation, by: fc.nat(1), told: fc.constantFrom(true, false, false) });

/** Gateways on one storage, and what they have answered. */
class World {
  readonly #gateways: readonly Cluster[];
  /** The newest object of each name, and the one before it. */
  #known = new Map<string, { newest: ApiObject; older: ApiObject }>();
  /** The storage's revision when the history began. */
  #start = 0;

  constructor(gateways: readonly Cluster[]) {
    this.#gateways = gateways;
  }

  get #storage() {
    return this.#gateways[0]!.storage;
  }

  /** Empties the storage, and lets everybody see that. */
  async reset(): Promise<void> {
    this.tell(true);
    const everything = { start: '/registry/configmaps/', end: '/registry/configmaps0' };
    const { items } = await this.#storage.range(everything);
    for (const { key, modRevision } of items) await this.#storage.delete(key, modRevision);
    for (const [i] of this.#gateways.entries()) await this.ask(i, `GET ${PATH}`);
    this.#known = new Map();
    this.#start = this.#storage.revision;
  }

  tell(told: boolean): void {
    if (told) this.#storage.release();
    else this.#storage.withhold();
  }

  close(): void {
    for (const gateway of this.#gateways) gateway.close();
  }

  /** @returns what the answer says, in words that are the same in every world. */
  async run(by: number, one: Operation): Promise<unknown> {
    const { line, request } = this.#requestOf(one);
    const { status, object, items } = await this.ask(by, line, request);
    this.#learn(object);
    return {
      status,
      reason: object['reason'],
      object: this.#plain(object),
      items: items.map((i) => this.#plain(i)),
    };
  }

  async ask(by: number, line: string, request?: TestRequest) {
    const gateway = this.#gateways[by % this.#gateways.length]!;
    let done = false;
    const note = (): void => void (done = true);
    const answer = gateway.ask(line, request);
    answer.then(note, note);
    // A gateway that is behind waits for its watch, until time is up.
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const { clock } of this.#gateways) clock.advance(100);
    }
    return answer;
  }

  #requestOf(one: Operation): { line: string; request?: TestRequest } {
    switch (one.kind) {
      case 'create':
        return { line: `POST ${PATH}`, request: { body: this.#body(one, {}) } };
      case 'update': {
        const resourceVersion = this.#version(one.name, one.version);
        return { line: `PUT ${PATH}/${one.name}`, request: { body: this.#body(one, { resourceVersion }) } };
      }
      case 'merge': {
        const resourceVersion = this.#version(one.name, one.version);
        const body = { metadata: { resourceVersion }, data: { v: one.value } };
        const contentType = 'application/merge-patch+json';
        return { line: `PATCH ${PATH}/${one.name}`, request: { body, contentType } };
      }
      case 'test': {
        const body = [
          { op: 'test', path: '/data/v', value: one.expected },
          { op: 'replace', path: '/data/v', value: one.value },
        ];
        const contentType = 'application/json-patch+json';
        return { line: `PATCH ${PATH}/${one.name}`, request: { body, contentType } };
      }
      case 'apply': {
        const { name: of, value: v, manager, force, twice } = one;
        // A key that comes twice is refused, but after conflicts.
        const repeated = twice ? `"data":{},` : '';
        const raw = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${of}"},${repeated}"data":{"v":"${v}"}}`;
        const query = `fieldManager=${manager}&force=${force}&fieldValidation=Strict`;
        const contentType = 'application/apply-patch+yaml';
        return { line: `PATCH ${PATH}/${of}?${query}`, request: { raw, contentType } };
      }
      case 'delete': {
        const resourceVersion = this.#version(one.name, one.version);
        const preconditions = { resourceVersion, uid: this.#uid(one.name, one.uid) };
        return { line: `DELETE ${PATH}/${one.name}`, request: { body: { preconditions } } };
      }
      case 'deleteAll':
        return { line: `DELETE ${PATH}?labelSelector=n%3D${one.name},v%3D${one.value}` };
      case 'get':
        return { line: `GET ${PATH}/${one.name}` };
      case 'list':
        return { line: `GET ${PATH}` };
    }
  }

  #body(one: { name: string; value: string; finalizer: boolean }, metadata: JsonObject): JsonObject {
    const finalizers = one.finalizer ? ['example.com/held'] : [];
    const labels = { n: one.name, v: one.value };
    return { metadata: { ...metadata, name: one.name, labels, finalizers }, data: { v: one.value } };
  }

  #version(of: string, demanded: string): string | undefined {
    if (demanded === 'wrong') return '7';
    return this.#demanded(of, demanded)?.metadata.resourceVersion;
  }

  #uid(of: string, demanded: string): string | undefined {
    if (demanded === 'wrong') return 'nobody';
    return this.#demanded(of, demanded)?.metadata.uid;
  }

  #demanded(of: string, demanded: string): ApiObject | undefined {
    const known = this.#known.get(of);
    return demanded === 'newest' ? known?.newest : demanded === 'older' ? known?.older : undefined;
  }

  #learn(object: ApiObject): void {
    const { name: of, resourceVersion } = object.metadata ?? {};
    if (of === undefined || resourceVersion === undefined) return;
    const before = this.#known.get(of)?.newest ?? object;
    if (before.metadata.resourceVersion === resourceVersion && before !== object) return;
    this.#known.set(of, { newest: object, older: before });
  }

  /** Without what may differ: times and uids; versions as the number of writes since the start. */
  #plain(object: ApiObject): unknown {
    const { metadata, data, reason } = object;
    const { name: of, labels, finalizers, generation, deletionTimestamp, resourceVersion } = metadata ?? {};
    const owners = metadata?.managedFields?.map(({ manager, fieldsV1 }) => [manager, fieldsV1]).sort();
    const writes = resourceVersion === undefined ? undefined : Number(resourceVersion) - this.#start;
    return {
      of,
      labels,
      finalizers,
      generation,
      owners,
      going: deletionTimestamp !== undefined,
      writes,
      data,
      reason,
    };
  }
}

describe('an artificially stale cache', function () {
  this.timeout(0);
  let fresh: World;
  let stale: World;

  before(async () => {
    fresh = new World([await Cluster.open()]);
    const first = await Cluster.open();
    stale = new World([first, await Cluster.open({ storage: first.storage })]);
  });
  after(() => {
    fresh.close();
    stale.close();
  });

  it('never makes a refusal, a no-op or a failed precondition wrong', async () => {
    const history = fc.array(step, { minLength: 1, maxLength: 20, size: 'max' });
    const law = fc.asyncProperty(history, async (steps) => {
      await fresh.reset();
      await stale.reset();
      for (const { operation: one, by, told } of steps) {
        stale.tell(told);
        assert.deepEqual(await stale.run(by, one), await fresh.run(0, one));
      }
    });
    await fc.assert(law, { numRuns: lawRuns() });
  });
});
