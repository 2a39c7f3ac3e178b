import type { JsonObject } from '../../../meta/object.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import { CtlError } from '../errors.ts';
import { revisionNumber } from './revision.ts';
import type { Workload } from './workload.ts';

/** How far a rollout is. */
export interface RolloutStatus {
  /** A line for the user, in kubectl's words. */
  readonly text: string;
  readonly done: boolean;
}

export interface StatusOptions {
  /** The revision that must be rolling out; 0 for any. */
  readonly revision: number;
  readonly names: NamingProfile;
}

/** Tells how far a workload's rollout is. @throws CtlError for one that failed, or is not to be followed. */
export type StatusOf = (workload: Workload, options: StatusOptions) => RolloutStatus;

interface Condition {
  readonly type?: string;
  readonly reason?: string;
}

interface Deployment {
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

export const deploymentStatus: StatusOf = (workload, { revision, names }) => {
  const { name = '', generation = 0 } = workload.metadata;
  const quoted = JSON.stringify(name);
  const running = revisionNumber(workload, names);
  if (revision > 0 && running === undefined)
    throw new CtlError(`cannot get the revision of deployment ${quoted}`);
  if (revision > 0 && revision !== running) {
    throw new CtlError(
      `desired revision (${revision}) is different from the running revision (${running ?? 0})`,
    );
  }
  const { spec, status = {} } = workload as unknown as Deployment;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, conditions = [] } = status;
  if (generation > (status.observedGeneration ?? 0)) return waiting('deployment spec update to be observed');
  const progressing = conditions.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') {
    throw new CtlError(`deployment ${quoted} exceeded its progress deadline`);
  }
  const wait = (what: string): RolloutStatus => waiting(`deployment ${quoted} rollout to finish: ${what}`);
  if (spec.replicas !== undefined && updatedReplicas < spec.replicas)
    return wait(`${updatedReplicas} out of ${spec.replicas} new replicas have been updated`);
  if (replicas > updatedReplicas)
    return wait(`${replicas - updatedReplicas} old replicas are pending termination`);
  if (availableReplicas < updatedReplicas)
    return wait(`${availableReplicas} of ${updatedReplicas} updated replicas are available`);
  return finished(`deployment ${quoted} successfully rolled out`);
};

interface DaemonSet {
  readonly spec: UpdatedSpec;
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedNumberScheduled?: number;
    readonly desiredNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

export const daemonSetStatus: StatusOf = (workload) => {
  const { name = '', generation = 0 } = workload.metadata;
  const { spec, status = {} } = workload as unknown as DaemonSet;
  requireRollingUpdate(spec);
  if (generation > (status.observedGeneration ?? 0)) return waiting('daemon set spec update to be observed');
  const {
    updatedNumberScheduled: updated = 0,
    desiredNumberScheduled: desired = 0,
    numberAvailable = 0,
  } = status;
  const quoted = JSON.stringify(name);
  const wait = (what: string): RolloutStatus => waiting(`daemon set ${quoted} rollout to finish: ${what}`);
  if (updated < desired) return wait(`${updated} out of ${desired} new pods have been updated`);
  if (numberAvailable < desired) return wait(`${numberAvailable} of ${desired} updated pods are available`);
  return finished(`daemon set ${quoted} successfully rolled out`);
};

interface UpdatedSpec {
  readonly updateStrategy?: {
    readonly type?: string;
    readonly rollingUpdate?: JsonObject & { readonly partition?: number };
  };
}

interface StatefulSet {
  readonly spec: UpdatedSpec & { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentReplicas?: number;
    readonly updateRevision?: string;
    readonly currentRevision?: string;
  };
}

export const statefulSetStatus: StatusOf = (workload) => {
  const { spec, status = {} } = workload as unknown as StatefulSet;
  requireRollingUpdate(spec);
  const { observedGeneration = 0, readyReplicas = 0, updatedReplicas = 0, currentReplicas = 0 } = status;
  const { updateRevision = '', currentRevision = '' } = status;
  if (observedGeneration === 0 || (workload.metadata.generation ?? 0) > observedGeneration)
    return waiting('statefulset spec update to be observed');
  const { replicas } = spec;
  if (replicas !== undefined && readyReplicas < replicas)
    return waiting(`${replicas - readyReplicas} pods to be ready`);
  const { rollingUpdate } = spec.updateStrategy ?? {};
  if (rollingUpdate !== undefined) {
    const wanted = (replicas ?? 0) - (rollingUpdate.partition ?? 0);
    if (replicas !== undefined && rollingUpdate.partition !== undefined && updatedReplicas < wanted)
      return waiting(
        `partitioned roll out to finish: ${updatedReplicas} out of ${wanted} new pods have been updated`,
      );
    return finished(`partitioned roll out complete: ${updatedReplicas} new pods have been updated...`);
  }
  if (updateRevision !== currentRevision) {
    const text = `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${updateRevision}...\n`;
    return { text, done: false };
  }
  return finished(
    `statefulset rolling update complete ${currentReplicas} pods at revision ${currentRevision}...`,
  );
};

function requireRollingUpdate({ updateStrategy }: UpdatedSpec): void {
  if (updateStrategy?.type === 'RollingUpdate') return;
  throw new CtlError('rollout status is only available for RollingUpdate strategy type');
}

function waiting(what: string): RolloutStatus {
  return { text: `Waiting for ${what}...\n`, done: false };
}

function finished(text: string): RolloutStatus {
  return { text: `${text}\n`, done: true };
}
