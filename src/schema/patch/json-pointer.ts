import { isObject, type Json, type JsonObject } from '../../meta/object.ts';
import { ownMember, setOwn } from './directives.ts';

/** The keys and indexes on the way to a value (RFC 6901). */
export type Pointer = readonly string[];

/** A place in a document where a value is or may be put. Its operations throw Error where they don't apply. */
export interface Place {
  /** @returns undefined for an object's absent member. */
  get(): Json | undefined;
  /** Sets an object's member; inserts into a list, at its end for `-`. @returns how many items of a list had to move. */
  add(value: Json): number;
  replace(value: Json): void;
  /** @returns how many items of a list had to move. */
  remove(): number;
}

/** Reads a pointer. @returns undefined when the text is none. */
export function parsePointer(text: string): Pointer | undefined {
  if (text === '') return [];
  if (!text.startsWith('/')) return undefined;
  return text.slice(1).split('/').map(unescapeStep);
}

function unescapeStep(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
}

/** Finds a place below the document's root. @throws Error when the way to it doesn't exist. */
export function locate(document: Json, pointer: Pointer): Place {
  const last = pointer.at(-1);
  if (last === undefined) throw new Error('the root can only be replaced and tested');
  let here: Json | undefined = document;
  for (const step of pointer.slice(0, -1)) here = childOf(here, step);
  if (Array.isArray(here)) return new ListPlace(here, last);
  if (isObject(here)) return new MemberPlace(here, last);
  throw new Error('there is no such object or list');
}

function childOf(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return new ListPlace(value, step).get();
  return isObject(value) ? new MemberPlace(value, step).get() : undefined;
}

class MemberPlace implements Place {
  readonly #object: JsonObject;
  readonly #key: string;

  constructor(object: JsonObject, key: string) {
    this.#object = object;
    this.#key = key;
  }

  get(): Json | undefined {
    return ownMember(this.#object, this.#key);
  }

  add(value: Json): number {
    setOwn(this.#object, this.#key, value);
    return 0;
  }

  replace(value: Json): void {
    this.add(value);
  }

  remove(): number {
    if (!Object.hasOwn(this.#object, this.#key)) throw new Error('there is no such member');
    Reflect.deleteProperty(this.#object, this.#key);
    return 0;
  }
}

class ListPlace implements Place {
  readonly #list: Json[];
  readonly #step: string;

  constructor(list: Json[], step: string) {
    this.#list = list;
    this.#step = step;
  }

  get(): Json {
    return this.#list[this.#index(this.#list.length)] ?? null;
  }

  add(value: Json): number {
    const { length } = this.#list;
    const index = this.#step === '-' ? length : this.#index(length + 1);
    if (index === length) this.#list.push(value);
    else this.#list.splice(index, 0, value);
    return length - index;
  }

  replace(value: Json): void {
    this.#list[this.#index(this.#list.length)] = value;
  }

  remove(): number {
    const index = this.#index(this.#list.length);
    this.#list.splice(index, 1);
    return this.#list.length - index;
  }

  /** @param limit indexes below it exist. */
  #index(limit: number): number {
    if (!/^[+-]?\d{1,9}$/.test(this.#step))
      throw new Error(`${JSON.stringify(this.#step)} is no index of a list`);
    const index = Number(this.#step);
    const counted = index < 0 ? index + limit : index;
    if (counted < 0 || counted >= limit) throw new Error(`the list has no item ${this.#step}`);
    return counted;
  }
}
