import { exactJson } from '../../../lib/exact-json.ts';
import { sameJson } from '../../../meta/same-json.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import { CtlError } from '../errors.ts';
import { annotationsOf, type Revision } from './revision.ts';
import type { PodTemplate, Workload } from './workload.ts';

/** A patch that brings a workload back to a revision. */
export interface RestoringPatch {
  readonly contentType: string;
  readonly body: string;
}

/**
 * Finds out how a workload is brought back to a revision.
 *
 * @returns undefined when it is so already.
 * @throws CtlError when that can't be.
 */
export type Restore = (
  workload: Workload,
  revision: Revision,
  names: NamingProfile,
) => RestoringPatch | undefined;

/** The label that a deployment adds to the templates of its replica sets. No domain, in either profile. */
const HASH_LABEL = 'pod-template-hash';

/** What a deployment keeps of its own annotations, and doesn't take from a replica set. */
const KEPT_ANNOTATIONS = [
  'annotation.last-applied-configuration',
  'annotation.deployment-revision',
  'annotation.deployment-revision-history',
  'annotation.deployment-desired-replicas',
  'annotation.deployment-max-replicas',
];
const ROLLBACK_ANNOTATION = 'deprecated.deployment.rollback.to';

/** Puts the template of a replica set, and its annotations, in place of what there is. */
export const restoreTemplate: Restore = ({ metadata, spec }, revision, names) => {
  if (spec.paused === true)
    throw new CtlError(
      "you cannot rollback a paused deployment; resume it first with 'orchctl rollout resume' and try again",
    );
  const template = withoutHash(revision.template);
  if (sameJson(template, withoutHash(spec.template ?? {}))) return undefined;
  const kept = new Set([...KEPT_ANNOTATIONS.map((id) => names.get(id)), ROLLBACK_ANNOTATION]);
  const annotations = Object.fromEntries([
    ...Object.entries(annotationsOf(metadata)).filter(([key]) => kept.has(key)),
    ...Object.entries(revision.annotations).filter(([key]) => !kept.has(key)),
  ]);
  return {
    contentType: 'application/json-patch+json',
    body: exactJson([
      { op: 'replace', path: '/spec/template', value: template },
      {
        op: metadata.annotations === undefined ? 'add' : 'replace',
        path: '/metadata/annotations',
        value: annotations,
      },
    ]),
  };
};

function withoutHash(template: PodTemplate): PodTemplate {
  const { labels, ...metadata } = template.metadata ?? {};
  const { [HASH_LABEL]: _hash, ...rest } = labels ?? {};
  const shown = Object.keys(rest).length === 0 ? metadata : { ...metadata, labels: rest };
  return { ...template, metadata: shown };
}

/** Sends the patch that the controller wrote down. */
export const restoreByPatch: Restore = ({ spec }, { patch = {} }) => {
  const current = { spec: { template: { ...spec.template, $patch: 'replace' } } };
  if (sameJson(patch, current)) return undefined;
  return { contentType: 'application/strategic-merge-patch+json', body: exactJson(patch) };
};

/**
 * The revision to go back to; 0 stands for the one before the last.
 *
 * @param none what is to be said when there is no such.
 * @throws CtlError when there is none.
 */
export function revisionToRestore(
  revisions: ReadonlyMap<number, Revision>,
  number: number,
  none: string,
): Revision {
  const [, before = NaN] = [...revisions.keys()].sort((a, b) => b - a);
  const found = revisions.get(number === 0 ? before : number);
  if (found !== undefined) return found;
  throw new CtlError(number === 0 ? none : `unable to find specified revision ${number} in history`, {
    hint: 'orchctl rollout history lists the revisions that there are.',
  });
}
