import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import type { ObjectReference } from './claims.ts';

/** Names an object of the core group; the namespace is '' at cluster scope. */
export interface ObjectPlace {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Finds an object in the watch cache, or, live, in the store. */
export type FindEntry = (
  object: ObjectPlace,
  freshness: 'cached' | 'live',
) => Promise<StoredEntry | undefined>;

/** What is read of an object. */
interface Facts {
  /** When its deletion began, milliseconds since 1970; Infinity where it hasn't. */
  readonly deletedAt: number;
  /** What it holds as a token. */
  readonly token: Buffer;
  /** Of an account: those that it names. */
  readonly secrets: ReadonlySet<string>;
}

/** The objects that tokens end with. */
export class TokenObjects {
  readonly find: FindEntry;
  /** Entries never change: each is read once. */
  readonly #facts = new WeakMap<StoredEntry, Facts>();

  constructor(find: FindEntry) {
    this.find = find;
  }

  /**
   * The very object that a token names. The cache may be a little behind a new one: then the store decides.
   *
   * @returns undefined where there is none, or another one of the same name.
   */
  async findNamed(
    place: Omit<ObjectPlace, 'name'>,
    { name, uid }: ObjectReference,
  ): Promise<StoredEntry | undefined> {
    const object = { ...place, name };
    const cached = await this.find(object, 'cached');
    if (cached?.uid === uid) return cached;
    const live = await this.find(object, 'live');
    return live?.uid === uid ? live : undefined;
  }

  factsOf(entry: StoredEntry): Facts {
    let facts = this.#facts.get(entry);
    if (facts === undefined) this.#facts.set(entry, (facts = read(entry.object())));
    return facts;
  }
}

function read(object: ApiObject): Facts {
  const { deletionTimestamp } = object.metadata;
  return {
    deletedAt: deletionTimestamp ? Date.parse(deletionTimestamp) : Infinity,
    token: Buffer.from(textAt(objectAt(object, 'data'), 'token'), 'base64'),
    secrets: new Set(objectsAt(object, 'secrets').map((reference) => textAt(reference, 'name'))),
  };
}
