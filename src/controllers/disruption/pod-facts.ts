import { objectAt, objectsAt } from '../../meta/fields.ts';
import type { ApiObject, OwnerReference } from '../../meta/object.ts';
import type { StoredEntry } from '../../store/object-store.ts';

/** What a budget asks of a pod. */
export interface PodFacts {
  readonly ready: boolean;
  readonly deleting: boolean;
  /** Who controls it. */
  readonly controller: OwnerReference | undefined;
}

/** Reads pods, each version once as long as somebody else has it, too. */
export function podFactsReader(): (entry: StoredEntry) => PodFacts {
  const known = new WeakMap<StoredEntry, PodFacts>();
  return function factsOf(entry) {
    let facts = known.get(entry);
    if (facts === undefined) known.set(entry, (facts = readFacts(entry.object())));
    return facts;
  };
}

function readFacts(pod: ApiObject): PodFacts {
  const conditions = objectsAt(objectAt(pod, 'status'), 'conditions');
  return {
    ready: conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
    deleting: pod.metadata.deletionTimestamp != null,
    controller: controllerOf(pod),
  };
}

/** The owner that controls an object. */
export function controllerOf({ metadata }: ApiObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}
