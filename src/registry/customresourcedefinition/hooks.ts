import { formatTime } from '../../lib/rfc3339.ts';
import { setCondition } from '../../meta/conditions.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceHooks } from '../hooks.ts';

/** CustomResourceDefinitions: names that follow from the kind; status updates change metadata and own none of it. */
export function customResourceDefinitionHooks(names: NamingProfile): ResourceHooks {
  const cleanup = names.get('finalizer.custom-resource-cleanup');
  return { ...HOOKS, planDeletion: (definition, { now }) => planDeletion(definition, cleanup, now) };
}

const HOOKS: ResourceHooks = {
  defaults(definition) {
    const names = objectAt(objectAt(definition, 'spec'), 'names');
    const kind = textAt(names, 'kind');
    if (names === undefined || kind === '') return;
    if (textAt(names, 'singular') === '') names.singular = kind.toLowerCase();
    if (textAt(names, 'listKind') === '') names.listKind = `${kind}List`;
  },
  prepareForCreate(definition) {
    definition['status'] = { storedVersions: storageVersions(definition).slice(0, 1) };
  },
  prepareForUpdate(definition) {
    const status = objectAt(definition, 'status');
    const [version] = storageVersions(definition);
    if (status === undefined || version === undefined) return;
    const stored = Array.isArray(status['storedVersions']) ? status['storedVersions'] : [];
    if (!stored.includes(version)) status['storedVersions'] = [...stored, version];
  },
  status: { prepareForUpdate: () => undefined, resetFields: { 'f:metadata': {} } },
};

/** The first deletion only marks the definition: its objects go first, and whoever sees to it takes the finalizer away. */
function planDeletion(definition: ApiObject, cleanup: string, now: number): 'mark' | undefined {
  const { metadata } = definition;
  if (metadata.deletionTimestamp != null) return undefined;
  const time = formatTime(now);
  metadata.deletionTimestamp = time;
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(cleanup)) metadata.finalizers = [...finalizers, cleanup];
  const status = objectAt(definition, 'status') ?? {};
  const conditions = objectsAt(status, 'conditions');
  setCondition(conditions, DELETION_PENDING, time);
  definition['status'] = { ...status, conditions };
  return 'mark';
}

const DELETION_PENDING = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'the definition is being deleted, and what it defines before it',
};

/** The versions that objects are said to be stored in: one, if the definition is right; the first counts. */
function storageVersions(definition: ApiObject): string[] {
  return objectsAt(objectAt(definition, 'spec'), 'versions')
    .filter((version) => version['storage'] === true)
    .map((version) => textAt(version, 'name'));
}
