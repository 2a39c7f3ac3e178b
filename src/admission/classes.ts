import type { ApiObject } from '../meta/object.ts';

/** A class of something that may be the one for objects that name none: a StorageClass, an IngressClass. */
export interface DefaultableClass {
  readonly name: string;
  readonly isDefault: boolean;
  /** RFC 3339, whole seconds, UTC. */
  readonly created: string;
}

/** @param annotations any of which makes a class the default */
export function readClass({ metadata }: ApiObject, annotations: readonly string[]): DefaultableClass {
  return {
    name: metadata.name ?? '',
    isDefault: annotations.some((annotation) => metadata.annotations?.[annotation] === 'true'),
    created: metadata.creationTimestamp ?? '',
  };
}

/** Of several defaults the newest, then the first by name. */
export function defaultOf<Class extends DefaultableClass>(classes: readonly Class[]): Class | undefined {
  let chosen: Class | undefined;
  for (const one of classes) {
    if (one.isDefault && (chosen === undefined || precedes(one, chosen))) chosen = one;
  }
  return chosen;
}

function precedes(a: DefaultableClass, b: DefaultableClass): boolean {
  return a.created === b.created ? a.name < b.name : a.created > b.created;
}
