import { findEntry } from '../controllers/find-entry.ts';
import { ApiError, type StatusReason } from '../errors/api-error.ts';
import type { ApiObject } from '../meta/object.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { FlowControlSpecs } from '../registry/flowcontrol/mandatory.ts';
import { isLeftOver, revised } from '../registry/flowcontrol/upkeep.ts';
import type { ResourceDefinition, SchemaRegistry } from '../schema/model.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { InProcess } from '../verbs/in-process.ts';
import { readBuilt } from './options/built.ts';

/** The step of the start that makes the flow-control configuration. */
export const FLOW_CONTROL_HOOK = 'priority-and-fairness-config-producer';
/** Who owns the fields of what it writes. */
export const FLOW_CONTROL_MANAGER = 'api-priority-and-fairness-config-producer-v1';

export interface FlowControlParts {
  readonly names: NamingProfile;
  readonly schemas: SchemaRegistry;
  readonly store: ObjectStore;
  /** Writes in the name of {@link FLOW_CONTROL_MANAGER}. */
  readonly server: InProcess;
}

interface FlowControlData {
  readonly mandatory: FlowControlSpecs;
  readonly suggested: FlowControlSpecs;
}

/** Names of what it creates, by kind. */
export function flowControlNames(names: NamingProfile): Record<string, ReadonlySet<string>> {
  const { mandatory, suggested } = readBuilt(names.name, 'flowcontrol') as FlowControlData;
  return Object.fromEntries(
    Object.keys(mandatory).map((kind) => [
      kind,
      new Set([...Object.keys(mandatory[kind] ?? {}), ...Object.keys(suggested[kind] ?? {})]),
    ]),
  );
}

/** Creates what is missing of the flow-control configuration (`schemas/bootstrap/`), and keeps the rest up to date. */
export async function bootstrapFlowControl(parts: FlowControlParts): Promise<void> {
  const { names, schemas } = parts;
  const group = names.get('group.flowcontrol');
  const data = readBuilt(names.name, 'flowcontrol') as FlowControlData;
  for (const kind of Object.keys(data.mandatory)) {
    const resource = schemas.resourceForKind(group, 'v1', kind);
    if (resource === undefined) continue;
    const wanted = { mandatory: data.mandatory[kind] ?? {}, suggested: data.suggested[kind] ?? {} };
    await Promise.all([
      ...Object.entries(wanted.suggested).map(([name, spec]) =>
        ensure(parts, resource, { name, spec, mandatory: false }),
      ),
      ...Object.entries(wanted.mandatory).map(([name, spec]) =>
        ensure(parts, resource, { name, spec, mandatory: true }),
      ),
    ]);
    await removeLeftOvers(
      parts,
      resource,
      new Set([...Object.keys(wanted.mandatory), ...Object.keys(wanted.suggested)]),
    );
  }
}

interface Wanted {
  readonly name: string;
  readonly spec: ApiObject['spec'];
  readonly mandatory: boolean;
}

async function ensure(
  { names, store, server }: FlowControlParts,
  resource: ResourceDefinition,
  { name, spec, mandatory }: Wanted,
): Promise<void> {
  const annotation = names.get('annotation.flow-control-autoupdate');
  const { group, version, kind } = resource;
  const object: ApiObject = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name, annotations: { [annotation]: 'true' } },
    spec: spec ?? {},
  };
  const entry = await findEntry(store, { resource, namespace: '', name }, 'any');
  try {
    if (entry === undefined) await server.create(resource, object);
    else {
      const update = revised(store.decode(entry, resource), object, { annotation, mandatory });
      if (update !== undefined) await server.update(resource, update);
    }
  } catch (error) {
    // Servers that start at the same time do the same.
    if (!isOneOf(error, ['AlreadyExists', 'Conflict', 'NotFound'])) throw error;
  }
}

async function removeLeftOvers(
  { names, store, server }: FlowControlParts,
  resource: ResourceDefinition,
  wanted: ReadonlySet<string>,
): Promise<void> {
  const annotation = names.get('annotation.flow-control-autoupdate');
  const { entries } = await store.list({ resource, namespace: '', at: { at: 'latest' } });
  for (const entry of entries) {
    const object = store.decode(entry, resource);
    if (isLeftOver(object, wanted, annotation)) await server.delete(resource, object);
  }
}

function isOneOf(error: unknown, reasons: readonly StatusReason[]): boolean {
  return error instanceof ApiError && reasons.some((reason) => reason === error.reason);
}
