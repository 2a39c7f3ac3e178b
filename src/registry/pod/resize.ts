import { forbidden, invalid, type FieldError } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import { isObject, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { differences, sameMeaning } from './differences.ts';
import { qosClass } from './qos.ts';

const SPEC = FieldPath.ROOT.child('spec');
const RESIZED = ['cpu', 'memory'] as const;
const LISTS = ['requests', 'limits'] as const;

/** What a container asks for can change while it runs, unless it says otherwise. */
export function defaultResizePolicies(container: JsonObject): void {
  const requests = objectAt(objectAt(container, 'resources'), 'requests') ?? {};
  const told = objectsAt(container, 'resizePolicy');
  const missing = RESIZED.filter(
    (resource) =>
      Object.hasOwn(requests, resource) && !told.some(({ resourceName }) => resourceName === resource),
  );
  if (missing.length === 0) return;
  const added = missing.map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' }));
  container['resizePolicy'] = [...told, ...added];
}

/** Takes from a request what `pods/{name}/resize` may change: its containers' resources, and how they are resized. */
export function resizedSpec(pod: ApiObject, old: ApiObject): JsonObject {
  const wanted = new Map(containersOf(pod, 'containers').map((it) => [textAt(it, 'name'), it]));
  const containers = containersOf(old, 'containers').map((before) => {
    const { resources: _resources, resizePolicy: _resizePolicy, ...rest } = before;
    const now = wanted.get(textAt(before, 'name'));
    if (now === undefined) return before;
    const { resources, resizePolicy } = now;
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
  return { ...objectAt(old, 'spec'), containers };
}

/** Whether a node has something to do: a container asks for other resources. */
export function isProposal(pod: ApiObject, old: ApiObject): boolean {
  const before = containersOf(old, 'containers');
  return containersOf(pod, 'containers').some(({ resources }, i) => {
    const asks = isObject(resources) && resources['requests'] != null;
    return asks && !sameMeaning(resources, before[i]?.['resources']);
  });
}

/** What resizing may not do. @param mirror the annotation of pods that only nodes know. */
export function resizeErrors(pod: ApiObject, old: ApiObject, mirror: string): FieldError[] {
  const never = unfit(pod, old, mirror);
  if (never !== undefined) return [forbidden('[]', never)];
  const errors: FieldError[] = [];
  const status = objectAt(old, 'status');
  const before = textAt(status, 'qosClass') || qosClass(old);
  if (qosClass(pod) !== before)
    errors.push(invalid(SPEC, before, 'resizing may not change the quality of service of the pod'));
  if (!isResizable(status)) errors.push(forbidden(SPEC, 'the node that the pod runs on can not resize it'));
  errors.push(...removalErrors(pod, old, 'initContainers'), ...removalErrors(pod, old, 'containers'));
  const changed = containersOf(old, 'containers').flatMap((container, i) => otherChanges(pod, container, i));
  if (changed.length > 0) {
    const what = `only cpu and memory may change; it would change ${changed.join(', ')}`;
    errors.push(forbidden(SPEC, what));
  }
  return errors;
}

/** Why a pod can't be resized at all. */
function unfit(pod: ApiObject, old: ApiObject, mirror: string): string | undefined {
  const own = [pod, old].map((it) => objectAt(objectAt(it, 'spec'), 'resources'));
  if (own.some((resources) => LISTS.some((list) => sizeOf(resources?.[list]) > 0)))
    return 'pods with resources of their own can not be resized';
  if (old.metadata.annotations?.[mirror] !== undefined)
    return 'pods that a node runs by itself can not be resized';
  const os = textAt(objectAt(objectAt(old, 'spec'), 'os'), 'name');
  return os === 'windows' ? 'pods of Windows can not be resized' : undefined;
}

/** A node that can do it says what its running containers have. */
function isResizable(status: JsonObject | undefined): boolean {
  const running = objectsAt(status, 'containerStatuses').find(
    (container) => objectAt(objectAt(container, 'state'), 'running') !== undefined,
  );
  return running === undefined || objectAt(running, 'resources') !== undefined;
}

/** What was asked for, or limited, still is. */
function removalErrors(pod: ApiObject, old: ApiObject, list: 'containers' | 'initContainers'): FieldError[] {
  const now = containersOf(pod, list);
  return containersOf(old, list).flatMap((container, i) =>
    LISTS.flatMap((what) => {
      const kept = amountsOf(now[i], what);
      if (Object.keys(amountsOf(container, what)).every((resource) => Object.hasOwn(kept, resource)))
        return [];
      const path = SPEC.child(list).index(i).child('resources').child(what);
      return [forbidden(path, `resource ${what} can not be removed`)];
    }),
  );
}

/** Where a container's resources differ by something else than CPU and memory. */
function otherChanges(pod: ApiObject, old: JsonObject, i: number): string[] {
  const now = containersOf(pod, 'containers')[i];
  const path = SPEC.child('containers').index(i).child('resources');
  const lists = LISTS.flatMap((list) =>
    sizeOf(amountsOf(old, list)) === 0
      ? []
      : differences(others(amountsOf(now, list)), others(amountsOf(old, list)), path.child(list)),
  );
  const [claims, before] = [now, old].map((it) => objectAt(it, 'resources')?.['claims']);
  return [...lists, ...differences(claims, before, path.child('claims'))];
}

function others(amounts: JsonObject): JsonObject {
  const rest = { ...amounts };
  for (const resource of RESIZED) delete rest[resource];
  return rest;
}

function amountsOf(container: JsonObject | undefined, list: (typeof LISTS)[number]): JsonObject {
  return objectAt(objectAt(container, 'resources'), list) ?? {};
}

function containersOf(pod: ApiObject, list: string): JsonObject[] {
  return objectsAt(objectAt(pod, 'spec'), list);
}
