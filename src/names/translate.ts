import type { Json, JsonObject } from '../meta/object.ts';

/** A profile's list as its file has it: identifier to name, in the file's order. */
export type NameList = Readonly<Record<string, string>>;

/** Takes data written in one profile's names to another's. For the build and for tests: requests are never translated. */
export interface NameTranslator {
  /** A whole name that the profile lists; any other text stays. */
  name(text: string): string;
  /** Every listed name that a text holds, e.g. in a list of arguments or an `apiVersion`. */
  text(text: string): string;
  /** Every string of a document, keys of maps included. The document stays as it is; the answer is a new one. */
  json<T extends Json>(value: T): T;
}

/**
 * A translator between the lists of two profiles.
 *
 * In a text, the longest listed name at a place wins. A name counts where no other name's character stands before or
 * after it, save a dot before it, since names are also written behind a version or a part (`v1.events.…`). That holds
 * neither for domains, which are translated as whole texts only, nor for beginnings of names, which need a name's start.
 * Words without dot, slash or hyphen name too much else to be translated at all.
 *
 * Where two identifiers have one name in `from`, the first is meant.
 *
 * @throws Error when the lists don't have the same identifiers.
 */
export function nameTranslator(from: NameList, to: NameList): NameTranslator {
  const whole = new Map<string, string>();
  const inText = new Map<string, string>();
  for (const [id, name] of Object.entries(from)) {
    const target = to[id];
    if (target === undefined) throw new Error(`one naming profile lists ${id}, the other doesn't`);
    if (!/[./-]/.test(name)) continue;
    if (!whole.has(name)) whole.set(name, target);
    if (!id.startsWith('domain.') && !id.startsWith('claim.') && !inText.has(name)) inText.set(name, target);
  }
  for (const id of Object.keys(to)) {
    if (from[id] === undefined) throw new Error(`one naming profile lists ${id}, the other doesn't`);
  }
  return new ListTranslator(whole, inText);
}

class ListTranslator implements NameTranslator {
  readonly #whole: ReadonlyMap<string, string>;
  readonly #inText: ReadonlyMap<string, string>;
  readonly #pattern: RegExp;

  constructor(whole: ReadonlyMap<string, string>, inText: ReadonlyMap<string, string>) {
    this.#whole = whole;
    this.#inText = inText;
    const longestFirst = [...inText.keys()].sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(longestFirst.map(nameInText).join('|'), 'g');
  }

  name(text: string): string {
    return this.#whole.get(text) ?? text;
  }

  text(text: string): string {
    return this.#whole.get(text) ?? text.replace(this.#pattern, (name) => this.#inText.get(name) ?? name);
  }

  json<T extends Json>(value: T): T {
    return this.#json(value) as T;
  }

  #json(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#json(item));
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.create(null) as JsonObject;
    for (const [key, item] of Object.entries(value)) {
      copy[this.text(key)] = item === undefined ? undefined : this.#json(item);
    }
    return copy;
  }
}

function nameInText(name: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  if (/[./]$/.test(name)) return `(?<![A-Za-z0-9_.-])${escaped}(?=[A-Za-z0-9])`;
  const before = /^[A-Za-z0-9]/.test(name) ? '(?<![A-Za-z0-9_-])' : '';
  return `${before}${escaped}(?![A-Za-z0-9_-]|\\.[A-Za-z0-9])`;
}
