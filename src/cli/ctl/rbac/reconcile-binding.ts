import type { ApiObject, JsonObject } from '../../../meta/object.ts';
import { sameJson } from '../../../meta/same-json.ts';
import { withMergedMetadata, type Reconciled } from './reconciled.ts';

/**
 * What a binding must become to give its role to those whom another one names. A role can't be changed: the binding is
 * then made anew.
 *
 * @param removeExtra whether nobody else may then have the role.
 */
export function reconcileBinding(existing: ApiObject, expected: ApiObject, removeExtra: boolean): Reconciled {
  if (!sameJson(existing['roleRef'], expected['roleRef']))
    return { object: expected, operation: 'recreate', missing: [], extra: [] };
  const object = withMergedMetadata(existing, expected);
  const [held, wanted] = [subjectsOf(existing), subjectsOf(expected)];
  const [missing, extra] = [beyond(held, wanted), beyond(wanted, held)];
  if (removeExtra && missing.length + extra.length > 0) object['subjects'] = [...wanted];
  else if (missing.length > 0) object['subjects'] = [...held, ...missing];
  return {
    object,
    operation: sameJson(object, existing) ? 'none' : 'update',
    missing: missing.map(goSubject),
    extra: extra.map(goSubject),
  };
}

/** Each once. */
function beyond(held: readonly JsonObject[], wanted: readonly JsonObject[]): JsonObject[] {
  return wanted.filter(
    (subject, i) =>
      !held.some((own) => sameJson(own, subject)) &&
      wanted.findIndex((other) => sameJson(other, subject)) === i,
  );
}

/** The subjects of a binding. */
export function subjectsOf(binding: ApiObject): readonly JsonObject[] {
  return (binding['subjects'] ?? []) as readonly JsonObject[];
}

/** A subject as kubectl writes it. */
export function goSubject(subject: JsonObject): string {
  const { kind = '', apiGroup = '', name = '', namespace = '' } = subject as Record<string, string>;
  return `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`;
}

/** The binding with the groups that the server would fill in. @param group that of access control */
export function withGroups(binding: ApiObject, group: string): ApiObject {
  const roleRef = { apiGroup: group, ...(binding['roleRef'] as JsonObject | undefined) };
  const subjects = subjectsOf(binding).map((subject) =>
    subject['kind'] === 'ServiceAccount' ? subject : { apiGroup: group, ...subject },
  );
  return { ...binding, roleRef, ...(subjects.length === 0 ? {} : { subjects }) };
}
