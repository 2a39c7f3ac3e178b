import type { Json, JsonObject } from '../../src/meta/object.ts';
import { sameJson } from '../../src/meta/same-json.ts';

/** An operation of a JSON patch, with everything that some operation needs. */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from: string;
  readonly value: Json;
}

/** JSON Patch as RFC 6902 has it and the interface allows it, by making new documents. @throws Error when it doesn't fit. */
export function naiveJsonPatch(document: Json, operations: readonly Operation[]): Json {
  return operations.reduce(applyOne, document);
}

function applyOne(document: Json, { op, path, from, value }: Operation): Json {
  const to = stepsOf(path);
  switch (op) {
    case 'add':
      return edit(document, to, (place) => insert(place, value));
    case 'remove':
      return edit(document, to, drop);
    case 'replace':
      if (to.length > 0) return edit(document, to, (place) => overwrite(place, value));
      if (typeof value !== 'object' || value === null) throw new Error('no document');
      return value;
    case 'copy':
      return edit(document, to, (place) => insert(place, get(document, stepsOf(from))));
    case 'move': {
      const moved = get(document, stepsOf(from));
      return edit(edit(document, stepsOf(from), drop), to, (place) => insert(place, moved));
    }
    case 'test':
      if (!sameJson(to.length === 0 ? document : get(document, to), value)) throw new Error('another value');
      return document;
  }
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A list or an object, and the last step into it. */
interface Place {
  readonly container: Json[] | JsonObject;
  readonly step: string;
}

function edit(document: Json, [first, ...rest]: string[], change: (place: Place) => Json): Json {
  if (first === undefined) throw new Error('the root');
  const container = compound(document);
  if (rest.length === 0) return change({ container, step: first });
  return overwrite({ container, step: first }, edit(child(container, first), rest, change));
}

function get(document: Json, [first, ...rest]: string[]): Json {
  if (first === undefined) throw new Error('the root');
  const found = child(compound(document), first);
  return rest.length === 0 ? found : get(found, rest);
}

function compound(value: Json): Json[] | JsonObject {
  if (typeof value !== 'object' || value === null) throw new Error('no way');
  return value;
}

/** An absent member is null. */
function child(container: Json[] | JsonObject, step: string): Json {
  if (Array.isArray(container)) return container[index(step, container.length)] ?? null;
  return new Map(Object.entries(container)).get(step) ?? null;
}

function insert({ container, step }: Place, value: Json): Json {
  if (!Array.isArray(container)) return overwrite({ container, step }, value);
  const at = step === '-' ? container.length : index(step, container.length + 1);
  return [...container.slice(0, at), value, ...container.slice(at)];
}

function overwrite({ container, step }: Place, value: Json): Json {
  if (Array.isArray(container)) return container.with(index(step, container.length), value);
  return Object.fromEntries([...Object.entries(container), [step, value]]);
}

function drop({ container, step }: Place): Json {
  if (Array.isArray(container)) return container.toSpliced(index(step, container.length), 1);
  if (!Object.hasOwn(container, step)) throw new Error('nothing there');
  return Object.fromEntries(Object.entries(container).filter(([key]) => key !== step));
}

function index(step: string, length: number): number {
  const at = /^-?\d+$/.test(step) ? Number(step) : NaN;
  const counted = at < 0 ? at + length : at;
  if (!(counted >= 0 && counted < length)) throw new Error('no such item');
  return counted;
}
