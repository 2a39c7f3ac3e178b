import { podReferences } from '../../authz/node/pod-references.ts';
import { Pacer } from '../../lib/pacer.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { findEntry } from '../find-entry.ts';
import { isOutdated } from '../keyed-work.ts';
import { trackedSince, trackingRef } from '../legacy-token-tracking/controller.ts';
import { dayOf } from '../legacy-token-tracking/day.ts';
import { accountAnnotations, type AccountAnnotations } from '../serviceaccount-token/token-secret.ts';
import { isUnused, lists, nextStep, UNUSED_MS, type Moment, type UseLabels } from './unused.ts';

const DAY_MS = 86_400_000;

/**
 * Marks, and later deletes, Secrets with tokens that control planes of old made for every account, where nobody has used
 * one for a year: looks once a day, and only when uses have been recorded for that long.
 */
export const legacyTokenCleaner: Controller = {
  name: 'legacy-serviceaccount-token-cleaner-controller',
  start: (parts) => new Cleaner(parts),
};

class Cleaner implements RunningController {
  readonly #parts: ControllerParts;
  readonly #secrets: ResourceDefinition;
  readonly #accounts: ResourceDefinition;
  readonly #pods: ResourceDefinition;
  readonly #configMaps: ResourceDefinition;
  readonly #annotations: AccountAnnotations;
  readonly #labels: UseLabels;
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(parts: ControllerParts) {
    const { schemas, names } = parts;
    this.#parts = parts;
    this.#secrets = rowOf(schemas, ['', 'v1', 'secrets']);
    this.#accounts = rowOf(schemas, ['', 'v1', 'serviceaccounts']);
    this.#pods = rowOf(schemas, ['', 'v1', 'pods']);
    this.#configMaps = rowOf(schemas, ['', 'v1', 'configmaps']);
    this.#annotations = accountAnnotations(names);
    this.#labels = {
      lastUsed: names.get('label.legacy-token-last-used'),
      invalidSince: names.get('label.legacy-token-invalid-since'),
    };
    void this.#lookDaily();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  async #lookDaily(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      this.#parts.log.error('tokens that nobody uses could not be looked for', error);
    }
    if (!this.#closed) this.#cancel = this.#parts.clock.after(DAY_MS, () => void this.#lookDaily());
  }

  async #look(): Promise<void> {
    const { store, names, clock } = this.#parts;
    const tracking = await findEntry(store, trackingRef(names, this.#configMaps), 'any');
    const since = tracking && trackedSince(tracking);
    const now = clock.now();
    // The day on which it began doesn't count.
    if (since === undefined || now < Date.parse(since) + DAY_MS + UNUSED_MS) return;
    const type = names.get('secretType.service-account-token');
    const filter = { matches: (entry: StoredEntry) => entry.field('type') === type };
    const { entries } = await store.list({
      resource: this.#secrets,
      namespace: '',
      filter,
      at: { at: 'any' },
    });
    const moment: Moment = { now, labels: this.#labels };
    const mounted = new MountedSecrets(this.#parts, this.#pods);
    const pacer = new Pacer();
    for (const entry of entries) {
      if (pacer.due()) await pacer.rest();
      if (this.#closed) return;
      await this.#clean(entry, moment, mounted);
    }
  }

  /** One that can't be written doesn't keep the others from being looked at. */
  async #clean(entry: StoredEntry, moment: Moment, mounted: MountedSecrets): Promise<void> {
    const { namespace, name } = entry;
    try {
      const secret = this.#parts.store.decode(entry, this.#secrets);
      if (!(await this.#mayGo(entry, secret, moment)) || (await mounted.has(namespace, name))) return;
      const step = nextStep(entry, moment);
      if (step === 'mark') await this.#mark(entry, moment);
      else if (step === 'delete') await this.#delete(entry);
    } catch (error) {
      if (isOutdated(error)) return;
      this.#parts.log.error('an unused token could not be put away', error, { namespace, secret: name });
    }
  }

  /** Whether it was made by a control plane, and is old and unused. */
  async #mayGo(entry: StoredEntry, { metadata }: ApiObject, moment: Moment): Promise<boolean> {
    if (metadata.deletionTimestamp != null) return false;
    if (!isUnused(entry, Date.parse(metadata.creationTimestamp ?? ''), moment)) return false;
    const { namespace, name } = entry;
    const { store } = this.#parts;
    const accountName = metadata.annotations?.[this.#annotations.name] ?? '';
    const uid = metadata.annotations?.[this.#annotations.uid] ?? '';
    const ref = { resource: this.#accounts, namespace, name: accountName };
    const account = await findEntry(store, ref, 'any');
    if (account === undefined || (uid !== '' && uid !== account.uid)) return false;
    return lists(store.decode(account, this.#accounts), name);
  }

  async #mark({ namespace, name, revision }: StoredEntry, { now, labels }: Moment): Promise<void> {
    const metadata = { namespace, name, resourceVersion: String(revision) };
    const marked = { ...metadata, labels: { [labels.invalidSince]: dayOf(now) } };
    await this.#parts.server.merge(this.#secrets, { metadata: marked });
    this.#tell('a token that nobody uses was marked as invalid', metadata);
  }

  async #delete({ namespace, name, revision }: StoredEntry): Promise<void> {
    const preconditions = { resourceVersion: String(revision) };
    const metadata = { namespace, name };
    await this.#parts.server.delete(this.#secrets, { metadata }, { options: { preconditions } });
    this.#tell('a token that nobody uses was deleted', metadata);
  }

  #tell(what: string, { namespace, name }: ApiObject['metadata']): void {
    this.#parts.log.info(what, { namespace, secret: name });
  }
}

/** The Secrets that pods use, read for a namespace when somebody asks. */
class MountedSecrets {
  readonly #parts: ControllerParts;
  readonly #pods: ResourceDefinition;
  readonly #byNamespace = new Map<string, ReadonlySet<string>>();

  constructor(parts: ControllerParts, pods: ResourceDefinition) {
    this.#parts = parts;
    this.#pods = pods;
  }

  async has(namespace: string, secret: string): Promise<boolean> {
    let names = this.#byNamespace.get(namespace);
    if (names === undefined) {
      names = await this.#read(namespace);
      this.#byNamespace.set(namespace, names);
    }
    return names.has(secret);
  }

  async #read(namespace: string): Promise<ReadonlySet<string>> {
    const { store } = this.#parts;
    const { entries } = await store.list({ resource: this.#pods, namespace, at: { at: 'any' } });
    const names = new Set<string>();
    const pacer = new Pacer();
    for (const entry of entries) {
      if (pacer.due()) await pacer.rest();
      for (const { type, name } of podReferences(entry.object(), '')) if (type === 'secret') names.add(name);
    }
    return names;
  }
}
