import { invalid, type FieldError } from '../../errors/field-error.ts';
import { formatTime } from '../../lib/rfc3339.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { isObject, objectAt, textAt } from '../../meta/fields.ts';
import type { DeletionContext, ResourceHooks } from '../hooks.ts';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** Namespaces: a label with their name, finalizers of their own, and two steps to their end. */
export function namespaceHooks(names: NamingProfile): ResourceHooks {
  const nameLabel = names.get('label.metadata-name');
  const finalizer = names.get('finalizer.namespace');
  const standard = new Set([finalizer, ORPHAN, FOREGROUND]);
  const labelWithName = ({ metadata }: ApiObject): void => {
    if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
  };
  return {
    defaults: labelWithName,
    keepsStatusOnCreate: true,
    prepareForCreate(namespace) {
      labelWithName(namespace);
      namespace.status = { phase: 'Active' };
      const finalizers = finalizersOf(namespace);
      if (!finalizers.includes(finalizer)) namespace.spec = { finalizers: [...finalizers, finalizer] };
    },
    prepareForUpdate(namespace, old) {
      if (old.spec === undefined) delete namespace.spec;
      else namespace.spec = old.spec;
    },
    validate: (namespace) => checkFinalizers(finalizersOf(namespace), standard),
    planDeletion,
    status: { prepareForUpdate: () => undefined, validateUpdate: checkPhase },
    isHeld: (namespace) => finalizersOf(namespace).length > 0,
    subresources: {
      finalize: {
        prepareForUpdate(namespace, old) {
          namespace.status = old.status;
        },
        validateUpdate: (namespace) =>
          finalizersOf(namespace).flatMap((f, i) => checkFinalizers([f], standard, `${FINALIZERS}[${i}]`)),
        resetFields: { 'f:status': {} },
      },
    },
  };
}

function finalizersOf(namespace: ApiObject): string[] {
  const list = objectAt(namespace, 'spec')?.finalizers;
  return Array.isArray(list) ? list.filter((f) => typeof f === 'string') : [];
}

const FINALIZERS = 'spec.finalizers';

/** Finalizers are qualified names, or those that the system knows. */
function checkFinalizers(
  finalizers: readonly string[],
  standard: ReadonlySet<string>,
  field = FINALIZERS,
): FieldError[] {
  return finalizers.flatMap((finalizer) => [
    ...qualifiedNameProblems(finalizer).map((why) => invalid(field, finalizer, why)),
    ...(finalizer.includes('/') || standard.has(finalizer)
      ? []
      : [invalid(field, finalizer, "must be a standard finalizer or have a domain and '/' before its name")]),
  ]);
}

/** The phase says whether the namespace is being deleted, and nothing else. */
function checkPhase(namespace: ApiObject): FieldError[] {
  const phase = textAt(objectAt(namespace, 'status'), 'phase');
  const expected = namespace.metadata.deletionTimestamp == null ? 'Active' : 'Terminating';
  return phase === expected ? [] : [invalid('status.Phase', phase, `can only be ${expected} now`)];
}

/**
 * The first deletion only marks the namespace: its content goes first. Whoever empties it takes the finalizers away,
 * and with the last one the namespace.
 */
function planDeletion(
  namespace: ApiObject,
  { now, orphan, foreground }: DeletionContext,
): 'mark' | 'pending' | undefined {
  const { metadata } = namespace;
  if (metadata.deletionTimestamp != null) return finalizersOf(namespace).length > 0 ? 'pending' : undefined;
  metadata.deletionTimestamp = formatTime(now);
  const status = isObject(namespace.status) ? namespace.status : {};
  namespace.status = { ...status, phase: 'Terminating' };
  let finalizers = metadata.finalizers ?? [];
  for (const [finalizer, wanted] of [
    [ORPHAN, orphan],
    [FOREGROUND, foreground],
  ] as const) {
    if (wanted === undefined || wanted === finalizers.includes(finalizer)) continue;
    finalizers = wanted ? [...finalizers, finalizer] : finalizers.filter((f) => f !== finalizer);
  }
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  else delete metadata.finalizers;
  return 'mark';
}
