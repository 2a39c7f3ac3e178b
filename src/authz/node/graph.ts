/** What pods lead to nodes from. */
export type ReferredType =
  | 'configMap'
  | 'secret'
  | 'claim'
  | 'serviceAccount'
  | 'resourceClaim'
  | 'pod'
  | 'volume'
  | 'attachment'
  | 'slice';

/** An object by what it is and where; `namespace` is '' at cluster scope. */
export interface Reference {
  readonly type: ReferredType;
  readonly namespace: string;
  readonly name: string;
}

/** An object that pods refer to, with how many of them there are on each node. */
interface Referred {
  readonly key: string;
  readonly pods: Map<string, number>;
}

interface KnownPod {
  readonly uid: string;
  readonly node: string;
  readonly referred: readonly Referred[];
}

interface KnownVolume {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/**
 * What leads from objects to nodes:
 *
 *     node <- pod <- configMap, secret, serviceAccount, resourceClaim
 *     node <- pod <- claim <- volume <- secret
 *     node <- attachment, slice
 *
 * Every object that pods refer to knows their nodes, so that a decision follows no path: it looks at one object, or at a
 * secret's volumes and their claims. Kept up to date object by object, in any order.
 */
export class NodeGraph {
  readonly #pods = new Map<string, KnownPod>();
  readonly #referred = new Map<string, Referred>();
  readonly #volumes = new Map<string, KnownVolume>();
  readonly #volumesOfSecret = new Map<string, Set<string>>();
  /** Of objects that belong to one node themselves. */
  readonly #nodes = new Map<string, string>();

  /** Whether there is a way from an object to a node. */
  reaches(node: string, { type, namespace, name }: Reference): boolean {
    const key = keyOf(type, namespace, name);
    if (type === 'pod') return this.#pods.get(key)?.node === node;
    if (type === 'attachment' || type === 'slice') return this.#nodes.get(key) === node;
    if (type === 'volume') return this.#volumeReaches(node, key);
    if (this.#isReferred(node, key)) return true;
    if (type !== 'secret') return false;
    for (const volume of this.#volumesOfSecret.get(key) ?? []) {
      if (this.#volumeReaches(node, volume)) return true;
    }
    return false;
  }

  /** Whether a pod is known to be on a node: what it refers to then is known, too. */
  hasPod(
    namespace: string,
    name: string,
    { uid, node }: { readonly uid: string; readonly node: string },
  ): boolean {
    const known = this.#pods.get(keyOf('pod', namespace, name));
    return known !== undefined && known.uid === uid && known.node === node;
  }

  setPod(
    namespace: string,
    name: string,
    { uid, node, references }: { uid: string; node: string; references: readonly Reference[] },
  ): void {
    this.removePod(namespace, name);
    const referred = references.map((one) => this.#refer(keyOf(one.type, one.namespace, one.name), node));
    this.#pods.set(keyOf('pod', namespace, name), { uid, node, referred });
  }

  removePod(namespace: string, name: string): void {
    const key = keyOf('pod', namespace, name);
    const known = this.#pods.get(key);
    if (known === undefined) return;
    this.#pods.delete(key);
    for (const one of known.referred) this.#forget(one, known.node);
  }

  /** A volume that a claim has, and the secrets that a node needs to mount it. */
  setVolume(name: string, claim: Reference, secrets: readonly Reference[]): void {
    this.removeVolume(name);
    const key = keyOf('volume', '', name);
    const known = {
      claim: keyOf(claim.type, claim.namespace, claim.name),
      secrets: secrets.map((one) => keyOf(one.type, one.namespace, one.name)),
    };
    this.#volumes.set(key, known);
    for (const secret of known.secrets) {
      const volumes = this.#volumesOfSecret.get(secret);
      if (volumes === undefined) this.#volumesOfSecret.set(secret, new Set([key]));
      else volumes.add(key);
    }
  }

  removeVolume(name: string): void {
    const key = keyOf('volume', '', name);
    for (const secret of this.#volumes.get(key)?.secrets ?? []) {
      const volumes = this.#volumesOfSecret.get(secret);
      volumes?.delete(key);
      if (volumes?.size === 0) this.#volumesOfSecret.delete(secret);
    }
    this.#volumes.delete(key);
  }

  /** An object belongs to a node; '' for none. */
  setNode(type: 'attachment' | 'slice', name: string, node: string): void {
    if (node === '') this.removeNode(type, name);
    else this.#nodes.set(keyOf(type, '', name), node);
  }

  removeNode(type: 'attachment' | 'slice', name: string): void {
    this.#nodes.delete(keyOf(type, '', name));
  }

  #isReferred(node: string, key: string): boolean {
    return this.#referred.get(key)?.pods.has(node) === true;
  }

  #volumeReaches(node: string, volume: string): boolean {
    const known = this.#volumes.get(volume);
    return known !== undefined && this.#isReferred(node, known.claim);
  }

  #refer(key: string, node: string): Referred {
    let referred = this.#referred.get(key);
    if (referred === undefined) {
      referred = { key, pods: new Map() };
      this.#referred.set(key, referred);
    }
    referred.pods.set(node, (referred.pods.get(node) ?? 0) + 1);
    return referred;
  }

  #forget({ key, pods }: Referred, node: string): void {
    const left = (pods.get(node) ?? 1) - 1;
    if (left > 0) {
      pods.set(node, left);
      return;
    }
    pods.delete(node);
    if (pods.size === 0) this.#referred.delete(key);
  }
}

/** Neither namespaces nor names have a slash. */
function keyOf(type: ReferredType, namespace: string, name: string): string {
  return `${type}/${namespace}/${name}`;
}
