import { isObject, objectAt, objectsAt } from '../../meta/fields.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { NamespaceAnnotations } from '../namespace-annotations.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';
import { areAllowed, mergeTolerations } from '../tolerations.ts';

export interface PodTolerationRestrictionDependencies {
  readonly annotationsOf: NamespaceAnnotations;
  /** The annotations that say what a namespace's pods tolerate, and may tolerate: lists in JSON. */
  readonly annotations: { readonly byDefault: string; readonly allowed: string };
  /** What holds where a namespace doesn't say. */
  readonly byDefault: readonly JsonObject[];
  readonly allowed: readonly JsonObject[];
  /** The taint of nodes that run out of memory. */
  readonly memoryPressure: string;
  /** Whether a pod asks for nothing. */
  readonly isBestEffort: (pod: JsonObject) => boolean;
}

/** Gives pods the tolerations of their namespace, and lets them have no others than it allows. */
export function podTolerationRestriction(
  dependencies: PodTolerationRestrictionDependencies,
): AdmissionPlugin {
  const { annotations, byDefault, allowed, memoryPressure, isBestEffort } = dependencies;
  const said = (request: AdmissionRequest, annotation: string): Promise<readonly JsonObject[] | undefined> =>
    readTolerations(request, annotation, dependencies.annotationsOf);

  async function check(request: AdmissionRequest, spec: JsonObject): Promise<void> {
    const tolerations = objectsAt(spec, 'tolerations');
    if (tolerations.length === 0) return;
    const own = await said(request, annotations.allowed);
    if (areAllowed(tolerations, own ?? allowed)) return;
    const where = own === undefined ? 'cluster' : 'namespace';
    throw refused(request, `the pod tolerates more than its ${where} allows`);
  }

  return {
    name: 'PodTolerationRestriction',
    operations: ['CREATE', 'UPDATE'],
    concerns: only('pods'),
    async mutate(request) {
      const { object, operation, subresource } = request;
      const spec = objectAt(object, 'spec');
      if (object === undefined || spec === undefined || subresource !== '') return;
      const more =
        operation === 'CREATE' ? [...((await said(request, annotations.byDefault)) ?? byDefault)] : [];
      if (!isBestEffort(object)) more.push({ key: memoryPressure, operator: 'Exists', effect: 'NoSchedule' });
      if (more.length > 0) spec['tolerations'] = mergeTolerations(objectsAt(spec, 'tolerations'), more);
      await check(request, spec);
    },
    async validate(request) {
      const spec = objectAt(request.object, 'spec');
      if (spec !== undefined && request.subresource === '') await check(request, spec);
    },
  };
}

/** @returns undefined where the namespace doesn't say @throws ApiError 403 where it says nothing sensible */
async function readTolerations(
  request: AdmissionRequest,
  annotation: string,
  annotationsOf: NamespaceAnnotations,
): Promise<readonly JsonObject[] | undefined> {
  const text = (await annotationsOf(request))[annotation];
  if (text === undefined) return undefined;
  const list = text === '' ? [] : parse(text);
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw refused(request, `the annotation ${annotation} of the namespace is no list of tolerations`);
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
