import { qualifiedResource, type ApiResource } from '../api/resource.ts';
import { CtlError } from '../errors.ts';
import { restoreByPatch, restoreTemplate, type Restore } from './restore.ts';
import { readControllerRevisions, readReplicaSets, type ReadRevisions } from './read-revisions.ts';
import { daemonSetStatus, deploymentStatus, statefulSetStatus, type StatusOf } from './status.ts';

/** How a kind rolls out. */
export interface RolloutKind {
  readonly status: StatusOf;
  /** The kind, of the same group and version, that holds its revisions. */
  readonly revisionKind: string;
  readonly readRevisions: ReadRevisions;
  readonly restore: Restore;
  /** What stands before the template that a dry run on the client shows. */
  readonly dryRunPrefix: string;
  /** What is said of a workload that has nothing to go back to. */
  readonly noHistory: (name: string) => string;
}

const KINDS: ReadonlyMap<string, RolloutKind> = new Map<string, RolloutKind>([
  [
    'deployments.apps',
    {
      status: deploymentStatus,
      revisionKind: 'ReplicaSet',
      readRevisions: readReplicaSets,
      restore: restoreTemplate,
      dryRunPrefix: '',
      noHistory: (name) => `no rollout history found for deployment ${JSON.stringify(name)}`,
    },
  ],
  [
    'daemonsets.apps',
    {
      status: daemonSetStatus,
      revisionKind: 'ControllerRevision',
      readRevisions: readControllerRevisions,
      restore: restoreByPatch,
      dryRunPrefix: 'will roll back to ',
      noHistory: () => 'no last revision to roll back to',
    },
  ],
  [
    'statefulsets.apps',
    {
      status: statefulSetStatus,
      revisionKind: 'ControllerRevision',
      readRevisions: readControllerRevisions,
      restore: restoreByPatch,
      dryRunPrefix: 'will roll back to ',
      noHistory: () => 'no last revision to roll back to',
    },
  ],
]);

/**
 * How a resource rolls out.
 *
 * @param what is missing for others, e.g. `status viewer`.
 * @throws CtlError for resources that don't.
 */
export function rolloutKind(resource: ApiResource, what: string): RolloutKind {
  const found = KINDS.get(qualifiedResource(resource));
  if (found !== undefined) return found;
  const { kind, group } = resource;
  throw new CtlError(`no ${what} has been implemented for ${group === '' ? kind : `${kind}.${group}`}`, {
    hint: 'Deployments, daemon sets and stateful sets roll out.',
  });
}

/** Whether a resource rolls out. */
export function isRolloutKind(resource: ApiResource): boolean {
  return KINDS.has(qualifiedResource(resource));
}
