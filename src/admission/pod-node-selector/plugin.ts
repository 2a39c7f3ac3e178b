import { objectAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';
import type { NamespaceAnnotations } from '../namespace-annotations.ts';
import { parseLabels, type NodeLabels } from './labels.ts';

export interface PodNodeSelectorDependencies {
  readonly annotationsOf: NamespaceAnnotations;
  /** The annotation that says where a namespace's pods run. */
  readonly annotation: string;
  /** Where pods run whose namespace doesn't say. */
  readonly byDefault: NodeLabels;
  /** What pods may choose, by namespace; anything where that is missing or empty. */
  readonly allowed: ReadonlyMap<string, NodeLabels>;
}

/** Has the pods of a namespace run on the nodes that its annotation, or the configuration, chooses. */
export function podNodeSelector(dependencies: PodNodeSelectorDependencies): AdmissionPlugin {
  return {
    name: 'PodNodeSelector',
    operations: ['CREATE'],
    concerns: only('pods'),
    async mutate(request) {
      const spec = objectAt(request.object, 'spec');
      if (spec === undefined || request.subresource !== '') return;
      const wanted = await wantedBy(request, dependencies);
      checkConflicts(request, spec, wanted);
      if (wanted.size > 0)
        spec['nodeSelector'] = { ...objectAt(spec, 'nodeSelector'), ...Object.fromEntries(wanted) };
      checkAllowed(request, spec, dependencies);
    },
    async validate(request) {
      const spec = objectAt(request.object, 'spec');
      if (spec === undefined || request.subresource !== '') return;
      checkConflicts(request, spec, await wantedBy(request, dependencies));
      checkAllowed(request, spec, dependencies);
    },
  };
}

/** @throws ApiError 403 where the namespace says nothing sensible, 404 where there is none */
async function wantedBy(
  request: AdmissionRequest,
  { annotationsOf, annotation, byDefault }: PodNodeSelectorDependencies,
): Promise<NodeLabels> {
  const said = (await annotationsOf(request))[annotation];
  if (said === undefined) return byDefault;
  const labels = parseLabels(said);
  if (labels !== undefined) return labels;
  throw refused(
    request,
    `the annotation ${annotation} of the namespace is no list of labels: ${JSON.stringify(said)}`,
  );
}

function checkConflicts(request: AdmissionRequest, spec: JsonObject, wanted: NodeLabels): void {
  const given = objectAt(spec, 'nodeSelector') ?? {};
  for (const [key, value] of wanted) {
    if (given[key] !== undefined && given[key] !== value)
      throw refused(
        request,
        `the pod chooses other nodes than its namespace: ${key}=${value} is wanted there`,
      );
  }
}

function checkAllowed(
  request: AdmissionRequest,
  spec: JsonObject,
  { allowed }: PodNodeSelectorDependencies,
): void {
  const choice = allowed.get(request.namespace);
  if (choice === undefined || choice.size === 0) return;
  for (const [key, value] of Object.entries(objectAt(spec, 'nodeSelector') ?? {})) {
    if (choice.get(key) !== value)
      throw refused(
        request,
        `the pods of the namespace may not choose nodes by the label ${key} as this one does`,
      );
  }
}
