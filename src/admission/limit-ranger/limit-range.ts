import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { readResources, type ResourceList } from '../../meta/resource-list.ts';

/** One item of a LimitRange. */
export interface Limit {
  /** `Container`, `Pod`, `PersistentVolumeClaim`, or another that this server does nothing about. */
  readonly type: string;
  readonly min: ResourceList;
  readonly max: ResourceList;
  readonly maxLimitRequestRatio: ResourceList;
  /** Of containers that say nothing, as objects hold amounts. */
  readonly defaultLimits: JsonObject;
  readonly defaultRequests: JsonObject;
}

/** A LimitRange, as far as admission is concerned. */
export type LimitRange = readonly Limit[];

export function readLimitRange(object: ApiObject): LimitRange {
  return objectsAt(objectAt(object, 'spec'), 'limits').map((item) => ({
    type: textAt(item, 'type'),
    min: readResources(item, 'min'),
    max: readResources(item, 'max'),
    maxLimitRequestRatio: readResources(item, 'maxLimitRequestRatio'),
    defaultLimits: objectAt(item, 'default') ?? {},
    defaultRequests: objectAt(item, 'defaultRequest') ?? {},
  }));
}
