import { numberAt, objectAt } from '../../meta/fields.ts';
import { parseGroupVersion, type ApiObject, type OwnerReference } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { ControllerParts } from '../controller.ts';
import { findEntry } from '../find-entry.ts';
import { controllerOf } from './pod-facts.ts';

/** How many pods a workload wants. */
export interface WorkloadScale {
  readonly uid: string;
  readonly replicas: number;
}

type Parts = Pick<ControllerParts, 'store' | 'schemas'>;

/** What a ReplicaSet's scale stands for. */
const DEPLOYMENT = { group: 'apps', kind: 'Deployment' };

/**
 * The scale of the workload that controls a pod: its own, or that of the Deployment that controls it.
 *
 * @returns undefined where it doesn't exist (any more). @throws Error for one that has no scale, or that nobody knows.
 */
export async function scaleOfController(
  parts: Parts,
  namespace: string,
  reference: OwnerReference,
): Promise<WorkloadScale | undefined> {
  const found = await findController(parts, namespace, reference);
  if (found === undefined) return undefined;
  const above = controllerOf(found.object);
  if (above === undefined || !isDeployment(above)) return scaleOf(found.object);
  const deployment = await findController(parts, namespace, above);
  return deployment && scaleOf(deployment.object);
}

function isDeployment({ apiVersion, kind }: OwnerReference): boolean {
  return kind === DEPLOYMENT.kind && parseGroupVersion(apiVersion)?.group === DEPLOYMENT.group;
}

async function findController(
  { store, schemas }: Parts,
  namespace: string,
  { apiVersion, kind, name, uid }: OwnerReference,
): Promise<{ readonly row: ResourceDefinition; readonly object: ApiObject } | undefined> {
  const named = parseGroupVersion(apiVersion);
  const row = named && schemas.resourceForKind(named.group, named.version, kind);
  if (row === undefined) throw new Error(`there is no kind ${kind} in ${apiVersion}`);
  if (!row.subresources.has('scale')) throw new Error(`${row.resource} have no scale`);
  const entry = await findEntry(store, { resource: row, namespace, name }, 'any');
  return entry?.uid === uid ? { row, object: store.decode(entry, row) } : undefined;
}

function scaleOf(workload: ApiObject): WorkloadScale {
  const replicas = numberAt(objectAt(workload, 'spec'), 'replicas');
  return { uid: workload.metadata.uid ?? '', replicas };
}
