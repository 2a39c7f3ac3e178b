import { isObject, type ApiObject, type Json, type JsonObject } from '../../../meta/object.ts';
import { formatLabelSelector } from '../../../meta/format-selector.ts';
import { labelSelectorOf } from '../../../meta/label-selector.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import type { Api } from '../api/api.ts';
import type { ApiResource } from '../api/resource.ts';
import { mergeStrategically } from '../manifests/kustomize/strategic-merge.ts';
import { readObjects } from '../resources/read-objects.ts';
import { annotationsOf, revisionNumber, type Revision } from './revision.ts';
import type { PodTemplate, Workload } from './workload.ts';

export interface RevisionSource {
  readonly api: Api;
  readonly names: NamingProfile;
  /** Of the objects that hold the revisions. */
  readonly resource: ApiResource;
  readonly workload: Workload;
}

/** Reads a workload's revisions, by number. Where two have the same, the younger one counts. */
export type ReadRevisions = (source: RevisionSource) => Promise<Map<number, Revision>>;

/** Deployments keep a replica set for each revision. */
export const readReplicaSets: ReadRevisions = async (source) => {
  const { names } = source;
  const causeKey = names.get('annotation.change-cause');
  const revisions = new Map<number, Revision>();
  for (const object of await readOwned(source)) {
    const number = revisionNumber(object, names);
    if (number === undefined) continue;
    const template = templateOf(object);
    const annotations = annotationsOf(object.metadata);
    const changeCause = annotations[causeKey] || annotationsOf(template.metadata ?? {})[causeKey] || '';
    revisions.set(number, { number, object, template, changeCause, annotations });
  }
  return revisions;
};

/** Daemon sets and stateful sets keep patches that lead back. */
export const readControllerRevisions: ReadRevisions = async (source) => {
  const { names, workload } = source;
  const causeKey = names.get('annotation.change-cause');
  const revisions = new Map<number, Revision>();
  for (const { metadata, revision, data } of await readOwned(source)) {
    const number = Number(revision);
    const patch = isObject(data) ? data : {};
    const object = mergeStrategically(undefined, structuredClone(workload), structuredClone(patch)) ?? {};
    const annotations = annotationsOf(metadata);
    const changeCause = annotations[causeKey] ?? '';
    revisions.set(number, { number, object, template: templateOf(object), changeCause, annotations, patch });
  }
  return revisions;
};

/** What the workload controls, the oldest first. */
async function readOwned({ api, resource, workload }: RevisionSource): Promise<ApiObject[]> {
  const { metadata, spec } = workload;
  const labelSelector = formatLabelSelector(labelSelectorOf(spec.selector ?? {}));
  const found: ApiObject[] = [];
  for await (const { object } of readObjects(
    { resource },
    { api, namespace: metadata.namespace, labelSelector },
  )) {
    if (isControlledBy(object as ApiObject, metadata.uid)) found.push(object as ApiObject);
  }
  return found.sort((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1));
}

function isControlledBy({ metadata }: ApiObject, uid: string | undefined): boolean {
  return metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) ?? false;
}

function ageKey({ metadata }: ApiObject): string {
  return `${metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`;
}

function templateOf({ spec }: JsonObject): PodTemplate {
  const { template } = (spec ?? {}) as { template?: Json };
  return isObject(template) ? template : {};
}
