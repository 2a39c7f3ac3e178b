import assert from 'node:assert/strict';
import type { ControllerParts, RunningController } from '../../src/controllers/controller.ts';
import { garbageCollector } from '../../src/controllers/garbage-collector/controller.ts';
import { textAt } from '../../src/meta/fields.ts';
import type { ApiObject, JsonObject } from '../../src/meta/object.ts';
import type { InProcess } from '../../src/verbs/in-process.ts';
import { controllerParts } from '../unit/controllers/controller-parts.ts';
import type { Cluster } from '../unit/verbs/cluster.ts';

const MERGE = 'application/merge-patch+json';

/** Where objects of the world are. */
const PLACES = [
  { path: '/api/v1/namespaces/default/configmaps', apiVersion: 'v1', kind: 'ConfigMap' },
  { path: '/api/v1/namespaces/default/secrets', apiVersion: 'v1', kind: 'Secret' },
  { path: '/api/v1/namespaces/other/configmaps', apiVersion: 'v1', kind: 'ConfigMap' },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
  },
] as const;

export interface OwnerChoice {
  /** Which of the objects that were ever made. */
  readonly of: number;
  readonly wrong: 'nothing' | 'uid' | 'name';
  readonly blocks: boolean;
}

export type Step =
  | {
      readonly do: 'create';
      readonly place: number;
      readonly owners: readonly OwnerChoice[];
      readonly finalizer: string;
    }
  | { readonly do: 'own'; readonly of: number; readonly owners: readonly OwnerChoice[] }
  | { readonly do: 'delete'; readonly of: number; readonly policy: string }
  | { readonly do: 'wait'; readonly turns: number }
  | { readonly do: 'restart' }
  | { readonly do: 'lose watches' };

/** An object that was made once. */
interface Made {
  readonly place: (typeof PLACES)[number];
  readonly name: string;
  readonly uid: string;
}

/** Objects that own each other, whoever deletes them, and a collector that is watched at every deletion. */
export class GarbageWorld {
  readonly #cluster: Cluster;
  #made: Made[] = [];
  /** Dependents that were to outlive their owner, by its uid. */
  #orphaned = new Map<string, Set<string>>();
  /** Objects that somebody has deleted in the foreground: whoever changes his mind may be too late. */
  #awaited = new Set<string>();
  #collector: RunningController | undefined;
  #broken: Error | undefined;
  #names = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  start(): void {
    const parts = controllerParts(this.#cluster, garbageCollector.name, ({ severity, fields }) => {
      if (severity === 'error') this.#broken ??= new Error(JSON.stringify(fields));
    });
    this.#collector = garbageCollector.start({ ...parts, server: this.#watched(parts) });
  }

  stop(): void {
    this.#collector?.close();
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'create':
        return this.#create(step);
      case 'own':
        return this.#own(this.#pick(step.of), step.owners);
      case 'delete':
        return this.#delete(this.#pick(step.of), step.policy);
      case 'wait':
        for (let i = 0; i < step.turns; i++) await turn();
        return;
      case 'restart':
        this.stop();
        return this.start();
      case 'lose watches':
        return this.#cluster.storage.loseWatches();
    }
  }

  /** Waits until everything is as it must be in the end. @throws AssertionError where that doesn't come. */
  async settle(): Promise<void> {
    let wrong: string | undefined;
    for (let round = 0; round < 200; round++) {
      for (let i = 0; i < 10; i++) await turn();
      if (this.#broken !== undefined) throw this.#broken;
      wrong = await this.#whatIsLeft();
      if (wrong === undefined) return;
      this.#cluster.clock.advance(1000);
    }
    assert.fail(wrong);
  }

  /** Takes everything away. */
  async clear(): Promise<void> {
    this.stop();
    for (const { path } of PLACES) {
      const { items } = await this.#cluster.expect(200, `GET ${path}`);
      for (const { metadata } of items) {
        const finalizers = { contentType: MERGE, body: { metadata: { finalizers: null } } };
        await this.#cluster.ask(`PATCH ${path}/${metadata.name}`, finalizers);
        await this.#cluster.ask(`DELETE ${path}/${metadata.name}`);
      }
    }
    this.#made = [];
    this.#orphaned = new Map();
    this.#awaited = new Set();
    this.#broken = undefined;
    this.start();
  }

  #pick(index: number): Made | undefined {
    return this.#made[index % this.#made.length];
  }

  async #create({ place: index, owners, finalizer }: Step & { do: 'create' }): Promise<void> {
    const place = PLACES[index % PLACES.length]!;
    const name = `o${this.#names++}`;
    const finalizers = finalizer === '' ? {} : { finalizers: [finalizer] };
    const metadata = { name, ownerReferences: this.#references(owners), ...finalizers };
    const { object } = await this.#cluster.expect(201, `POST ${place.path}`, { body: { metadata } });
    this.#made.push({ place, name, uid: object.metadata.uid ?? '' });
  }

  async #own(made: Made | undefined, owners: readonly OwnerChoice[]): Promise<void> {
    if (made === undefined) return;
    const body = { metadata: { ownerReferences: this.#references(owners) } };
    for (const dependents of this.#orphaned.values()) dependents.delete(made.uid);
    await this.#cluster.ask(`PATCH ${made.place.path}/${made.name}`, { contentType: MERGE, body });
  }

  async #delete(made: Made | undefined, propagationPolicy: string): Promise<void> {
    if (made === undefined) return;
    this.#orphaned.delete(made.uid);
    if (propagationPolicy === 'Foreground') this.#awaited.add(made.uid);
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy };
    const dependents = propagationPolicy === 'Orphan' ? await this.#dependentsOf(made) : new Set<string>();
    const { status } = await this.#cluster.ask(`DELETE ${made.place.path}/${made.name}`, { body });
    if (status === 200 && dependents.size > 0 && !this.#awaited.has(made.uid))
      this.#orphaned.set(made.uid, dependents);
  }

  async #dependentsOf({ uid }: Made): Promise<Set<string>> {
    const found = new Set<string>();
    for (const { path, object } of await this.#everything()) {
      for (const reference of ownersOf(object)) {
        const isOwned = reference['uid'] === uid && (await this.#stateOf(path, reference)) === 'solid';
        if (isOwned) found.add(object.metadata.uid ?? '');
      }
    }
    return found;
  }

  #references(owners: readonly OwnerChoice[]): JsonObject[] {
    return owners.flatMap(({ of, wrong, blocks }) => {
      const owner = this.#pick(of);
      if (owner === undefined) return [];
      const { apiVersion, kind } = owner.place;
      const name = wrong === 'name' ? 'nobody' : owner.name;
      const uid = wrong === 'uid' ? `wrong-${owner.uid}` : owner.uid;
      return [{ apiVersion, kind, name, uid, blockOwnerDeletion: blocks }];
    });
  }

  async #everything(): Promise<{ readonly path: string; readonly object: ApiObject }[]> {
    const all = await Promise.all(
      PLACES.map(async ({ path }) => {
        const { items } = await this.#cluster.expect(200, `GET ${path}`);
        return items.map((object) => ({ path, object }));
      }),
    );
    return all.flat();
  }

  /** What is not yet as it must be in the end. */
  async #whatIsLeft(): Promise<string | undefined> {
    for (const { path, object } of await this.#everything()) {
      const { name, deletionTimestamp } = object.metadata;
      if (deletionTimestamp != null) return `${path}/${name} is still being deleted`;
      const states = await this.#statesOf(path, object);
      if (states.includes('absent')) return `${path}/${name} has owners that are gone`;
    }
    return undefined;
  }

  #statesOf(path: string, object: ApiObject): Promise<string[]> {
    return Promise.all(ownersOf(object).map((reference) => this.#stateOf(path, reference)));
  }

  async #stateOf(path: string, reference: JsonObject): Promise<string> {
    const places = PLACES.filter(({ kind }) => kind === reference['kind']);
    const global = places.find((place) => !place.path.includes('/namespaces/'));
    const space = /\/namespaces\/(\w+)/.exec(path)?.[1];
    const own = places.find((place) => place.path.includes(`/namespaces/${space}/`));
    if (global === undefined && space === undefined) return 'unknown';
    const base = global?.path ?? own?.path;
    if (base === undefined) return 'absent';
    const { status, object } = await this.#cluster.ask(`GET ${base}/${textAt(reference, 'name')}`);
    if (status !== 200 || object.metadata.uid !== reference['uid']) return 'absent';
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp == null) return 'solid';
    const isAwaited =
      finalizers.includes('foregroundDeletion') || this.#awaited.has(textAt(reference, 'uid'));
    return isAwaited ? 'waiting' : 'solid';
  }

  /** Looks at every deletion before it happens: nothing may go that somebody owns, or nobody ever owned. */
  #watched({ server, store }: ControllerParts): InProcess {
    return {
      ...server,
      delete: async (row, target, options) => {
        const { namespace = '', name = '' } = target.metadata;
        const entry = await store
          .get({ resource: row, namespace, name, at: { at: 'latest' } })
          .catch(() => undefined);
        const { uid, resourceVersion } = options?.options?.['preconditions'] as Record<string, string>;
        if (entry !== undefined && entry.uid === uid && String(entry.revision) === resourceVersion) {
          await this.#check(entry.object());
          if (options?.options?.['propagationPolicy'] === 'Foreground') this.#awaited.add(uid);
        }
        return server.delete(row, target, options);
      },
    };
  }

  async #check(object: ApiObject): Promise<void> {
    const { name, namespace, uid = '' } = object.metadata;
    const place = PLACES.find(
      ({ kind, path }) =>
        kind === object.kind && path.includes(namespace === undefined ? '' : `/namespaces/${namespace}/`),
    );
    const states = await this.#statesOf(place?.path ?? '', object);
    const bad = states.length === 0 || states.includes('solid') || states.includes('unknown');
    const kept = ownersOf(object).some(
      (reference) => this.#orphaned.get(textAt(reference, 'uid'))?.has(uid) === true,
    );
    if (bad || kept) {
      this.#broken ??= new Error(
        `${namespace}/${name} is deleted: ${states.join() || 'never owned'} ${kept}`,
      );
    }
  }
}

function ownersOf({ metadata }: ApiObject): JsonObject[] {
  return metadata.ownerReferences ?? [];
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
