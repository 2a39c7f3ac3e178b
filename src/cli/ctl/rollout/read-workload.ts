import type { CommandContext } from '../context.ts';
import { CtlError } from '../errors.ts';
import { pathOf, type ChosenObject } from '../objects/choose.ts';
import { rolloutKind, type RolloutKind } from './kinds.ts';
import type { Revision } from './revision.ts';
import type { Workload } from './workload.ts';

/** A workload with its past. */
export interface WorkloadHistory {
  readonly workload: Workload;
  readonly revisions: ReadonlyMap<number, Revision>;
  readonly kind: RolloutKind;
}

/** Reads a workload and its revisions. @param what as for {@link rolloutKind}. */
export async function readWorkload(
  context: CommandContext,
  object: ChosenObject,
  what: string,
): Promise<WorkloadHistory> {
  const api = await context.api();
  const workload = await api.json<Workload>({ path: pathOf(object) });
  const kind = rolloutKind(object.resource, what);
  const mapper = await context.resources();
  const { group, version } = object.resource;
  const resource = mapper.forKind({ group, version, kind: kind.revisionKind });
  if (resource === undefined)
    throw new CtlError(`the server keeps no revisions: it has no ${kind.revisionKind}`);
  const names = await context.names();
  const revisions = await kind.readRevisions({ api, names, resource, workload });
  return { workload, revisions, kind };
}
