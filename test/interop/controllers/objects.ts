import type { KubeObject } from '../../../src/client/index.ts';

/** What steps read of objects, and no more. */

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface Workload extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly template: { readonly spec: PodSpec } };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly updatedReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly containers: readonly { readonly image: string }[];
}

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}

export interface Job extends KubeObject {
  readonly status?: { readonly succeeded?: number; readonly conditions?: readonly Condition[] };
}

/** Conditions as both servers' must be: without times and messages. */
export function told(conditions: readonly Condition[] = []): string[] {
  return conditions.map(({ type, status, reason = '' }) => `${type}=${status} ${reason}`.trim()).sort();
}

export function holds(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
}

export function isReady({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp == null && holds(status?.conditions, 'Ready');
}
