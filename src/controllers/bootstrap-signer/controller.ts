import { isObject } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { followBootstrapTokens, isNamedByToken, type BootstrapSecret } from '../follow-bootstrap-tokens.ts';
import { isOutdated, keyedWork, type KeyedWork } from '../keyed-work.ts';
import { detachedSignature } from './signature.ts';

/** The ConfigMap, and its key, that tell new nodes of the cluster. */
const CLUSTER_INFO = 'cluster-info';
const KUBECONFIG = 'kubeconfig';
const SIGNATURE_PREFIX = 'jws-kubeconfig-';

/** Signs what new nodes read of the cluster with every bootstrap token that is for that, and takes stale signatures away. */
export const bootstrapSigner: Controller = {
  name: 'bootstrap-signer-controller',
  start: (parts) => new BootstrapSigner(parts),
};

class BootstrapSigner implements RunningController {
  readonly #parts: ControllerParts;
  readonly #configMaps: ResourceDefinition;
  /** By the name of their Secret. */
  readonly #secrets = new Map<string, BootstrapSecret>();
  #info: StoredEntry | undefined;
  readonly #work: KeyedWork;
  readonly #close: () => void;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#configMaps = rowOf(parts.schemas, ['', 'v1', 'configmaps']);
    const { clock, log, names } = parts;
    this.#work = keyedWork({ clock, log, work: () => this.#sign(), expects: isOutdated });
    const secrets = followBootstrapTokens(parts, {
      set: (secret) => this.#changed(() => this.#secrets.set(secret.entry.name, secret)),
      remove: (name) => this.#changed(() => this.#secrets.delete(name)),
    });
    const follower = {
      set: (entry: StoredEntry) => this.#setInfo(entry.name, entry),
      remove: (_namespace: string, name: string) => this.#setInfo(name, undefined),
    };
    const infos = followResource(parts, this.#configMaps, follower, {
      namespace: names.get('namespace.public'),
    });
    this.#close = () => {
      secrets.close();
      infos.close();
    };
  }

  close(): void {
    this.#close();
    this.#work.close();
  }

  #setInfo(name: string, entry: StoredEntry | undefined): void {
    if (name === CLUSTER_INFO) this.#changed(() => (this.#info = entry));
  }

  #changed(change: () => unknown): void {
    change();
    this.#work.add(CLUSTER_INFO);
  }

  async #sign(): Promise<void> {
    const info = this.#info?.object();
    const data = info?.data;
    if (info === undefined || !isObject(data) || typeof data[KUBECONFIG] !== 'string') return;
    const signed = this.#signedData(data, data[KUBECONFIG]);
    if (!sameJson(signed, data)) await this.#parts.server.update(this.#configMaps, { ...info, data: signed });
  }

  #signedData(data: JsonObject, kubeconfig: string): JsonObject {
    const unsigned = Object.entries(data).filter(([key]) => !key.startsWith(SIGNATURE_PREFIX));
    const signatures = this.#signingTokens().map(({ token }): [string, string] => [
      `${SIGNATURE_PREFIX}${token.id}`,
      detachedSignature(kubeconfig, token),
    ]);
    return Object.fromEntries([...unsigned, ...signatures]);
  }

  /** The tokens that sign now. They are looked at again when the first of them expires. */
  #signingTokens(): BootstrapSecret[] {
    const now = this.#parts.clock.now();
    const signing = [...this.#secrets.values()].filter(
      (secret) =>
        secret.token.signs &&
        secret.token.secret !== '' &&
        secret.token.expiresAt > now &&
        isNamedByToken(secret),
    );
    const end = Math.min(...signing.map(({ token }) => token.expiresAt));
    if (end < Infinity) this.#work.addAfter(CLUSTER_INFO, end - now);
    return signing;
  }
}
