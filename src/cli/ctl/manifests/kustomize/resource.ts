import type { ApiObject, JsonObject } from '../../../../meta/object.ts';
import type { Kind, Vocabulary } from './vocabulary.ts';

/** What a resource is found by. */
export interface ResourceId extends Kind {
  readonly name: string;
  /** '' where it says none. */
  readonly namespace: string;
}

export type Behavior = 'create' | 'merge' | 'replace';

/** A resource on its way through the layers: the object, and what it was called before. */
export class Resource {
  object: ApiObject;
  /** What it was called, oldest first. */
  previous: ResourceId[] = [];
  prefixes: string[] = [];
  suffixes: string[] = [];
  /** Whether its name ends in a hash of its content, in the end. */
  hashed = false;
  behavior: Behavior = 'create';
  readonly #vocabulary: Vocabulary;

  constructor(object: ApiObject, vocabulary: Vocabulary) {
    this.object = object;
    this.#vocabulary = vocabulary;
  }

  get kind(): Kind {
    return kindOf(this.object);
  }

  get id(): ResourceId {
    const { name = '', namespace = '' } = this.object.metadata;
    return { ...this.kind, name, namespace };
  }

  get originalId(): ResourceId {
    return this.ids()[0] ?? this.id;
  }

  get isClusterScoped(): boolean {
    return this.#vocabulary.isClusterScoped(this.kind);
  }

  /** Every name it has had, the present one last. Versions and groups are always those of now. */
  ids(): ResourceId[] {
    return [...this.previousIds(), this.id];
  }

  previousIds(): ResourceId[] {
    const { group, version } = this.kind;
    return this.previous.map((id) => ({ ...id, group, version }));
  }

  /** Remembers what it is called, because that is about to change. */
  remember(): void {
    this.previous.push({ ...this.id, namespace: effectiveNamespace(this.id, this.#vocabulary) });
  }

  /** Whether some name that it has or had is another's. */
  wasCalled(id: ResourceId): boolean {
    return this.ids().some((own) => sameId(own, id, this.#vocabulary));
  }

  /** One text for what it is called. */
  get key(): string {
    const { group, version, kind, name } = this.id;
    return JSON.stringify([group, version, kind, this.effectiveNamespace, name]);
  }

  /** The namespace that it is in as far as references go. */
  get effectiveNamespace(): string {
    return effectiveNamespace(this.id, this.#vocabulary);
  }
}

/** What stands for the namespace of what has none. */
export const NO_NAMESPACE = '_non_namespaceable_';

export function kindOf({ apiVersion, kind }: JsonObject): Kind {
  const [first = '', second] = (typeof apiVersion === 'string' ? apiVersion : '').split('/', 2);
  const text = typeof kind === 'string' ? kind : '';
  return second === undefined
    ? { group: '', version: first, kind: text }
    : { group: first, version: second, kind: text };
}

export function effectiveNamespace(id: ResourceId, vocabulary: Vocabulary): string {
  if (id.namespace === NO_NAMESPACE || vocabulary.isClusterScoped(id)) return NO_NAMESPACE;
  return id.namespace === '' ? 'default' : id.namespace;
}

function sameId(a: ResourceId, b: ResourceId, vocabulary: Vocabulary): boolean {
  return (
    a.name === b.name &&
    a.kind === b.kind &&
    a.group === b.group &&
    a.version === b.version &&
    effectiveNamespace(a, vocabulary) === effectiveNamespace(b, vocabulary)
  );
}

/** `Deployment.v1.apps/web.shop`, as messages tell it. */
export function formatId({ group, version, kind, name, namespace }: ResourceId): string {
  return `${kind}.${version}.${group || '[noGrp]'}/${name || '[noName]'}.${namespace || '[noNs]'}`;
}
