import { objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { compareQuantities } from '../../meta/quantity-amounts.ts';
import { readResources } from '../../meta/resource-list.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';
import { mergeTolerations } from '../tolerations.ts';

export interface RuntimeClassDependencies {
  /** Looks a class up; undefined: there is none. It may be changed. */
  readonly getClass: (name: string, signal: AbortSignal) => Promise<ApiObject | undefined>;
}

/** Gives pods what their RuntimeClass says: what running them takes besides, and where they can run. */
export function runtimeClass(dependencies: RuntimeClassDependencies): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    operations: ['CREATE'],
    concerns: only('pods'),
    async mutate(request) {
      const spec = specOf(request);
      const found = spec && (await classOf(request, spec, dependencies));
      if (spec === undefined || found === undefined) return;
      setOverhead(request, spec, found);
      setScheduling(request, spec, found);
    },
    async validate(request) {
      const spec = specOf(request);
      if (spec === undefined) return;
      const overhead = overheadOf(await classOf(request, spec, dependencies));
      if (overhead !== undefined && !sameAmounts(overhead, spec)) throw refused(request, NOT_THE_SAME);
      if (overhead === undefined && spec['overhead'] != null)
        throw refused(request, 'a pod has an overhead only where its RuntimeClass has one');
    },
  };
}

const NOT_THE_SAME = "the pod's overhead is not that of its RuntimeClass";

function specOf({ object, subresource }: AdmissionRequest): JsonObject | undefined {
  return subresource === '' ? objectAt(object, 'spec') : undefined;
}

/** @throws ApiError 403 for a class that doesn't exist */
async function classOf(
  request: AdmissionRequest,
  spec: JsonObject,
  { getClass }: RuntimeClassDependencies,
): Promise<ApiObject | undefined> {
  const name = spec['runtimeClassName'];
  if (typeof name !== 'string') return undefined;
  const found = await getClass(name, request.signal);
  if (found !== undefined) return found;
  throw refused(request, `there is no RuntimeClass ${JSON.stringify(name)}`);
}

function overheadOf(runtime: ApiObject | undefined): JsonObject | undefined {
  const overhead = objectAt(runtime, 'overhead');
  return overhead && (objectAt(overhead, 'podFixed') ?? {});
}

function sameAmounts(overhead: JsonObject, spec: JsonObject): boolean {
  const [wanted, given] = [readResources({ overhead }, 'overhead'), readResources(spec, 'overhead')];
  if (wanted.size !== given.size) return false;
  return [...wanted].every(([name, amount]) => {
    const other = given.get(name);
    return other !== undefined && compareQuantities(amount, other) === 0;
  });
}

function setOverhead(request: AdmissionRequest, spec: JsonObject, runtime: ApiObject): void {
  const overhead = overheadOf(runtime);
  if (overhead === undefined) return;
  if (sizeOf(spec['overhead']) > 0 && !sameAmounts(overhead, spec)) throw refused(request, NOT_THE_SAME);
  if (sizeOf(overhead) > 0) spec['overhead'] = overhead;
}

function setScheduling(request: AdmissionRequest, spec: JsonObject, runtime: ApiObject): void {
  const scheduling = objectAt(runtime, 'scheduling');
  if (scheduling === undefined) return;
  const wanted = objectAt(scheduling, 'nodeSelector') ?? {};
  const selector = objectAt(spec, 'nodeSelector') ?? {};
  for (const [key, value] of Object.entries(wanted)) {
    const given = selector[key];
    if (given !== undefined && given !== value)
      throw refused(
        request,
        `the pod is for nodes with ${key}=${textAt(selector, key)}, its RuntimeClass for those with ${key}=${textAt(wanted, key)}`,
      );
    selector[key] = value;
  }
  if (sizeOf(selector) > 0) spec['nodeSelector'] = selector;
  const tolerations = mergeTolerations(objectsAt(spec, 'tolerations'), objectsAt(scheduling, 'tolerations'));
  if (tolerations.length > 0) spec['tolerations'] = tolerations;
}
