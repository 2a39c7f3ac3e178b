import type { JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';
import { defineFlags } from '../flags/flag.ts';

/** To whom a role is given. */
export const SUBJECT_FLAGS = defineFlags({
  user: { type: 'list', help: 'A user; can be repeated.' },
  group: { type: 'list', help: 'A group; can be repeated.' },
  serviceaccount: { type: 'list', help: 'A service account, as NAMESPACE:NAME; can be repeated.' },
});

export interface SubjectChoice {
  readonly user: readonly string[];
  readonly group: readonly string[];
  readonly serviceaccount: readonly string[];
}

/** The `subjects` of a binding, where there are some. @throws CtlError for service accounts that are written otherwise. */
export function subjectsOf(choice: SubjectChoice, apiGroup: string): { subjects?: JsonObject[] } {
  const subjects: JsonObject[] = [
    ...choice.user.map((name) => ({ apiGroup, kind: 'User', name })),
    ...choice.group.map((name) => ({ apiGroup, kind: 'Group', name })),
    ...choice.serviceaccount.map(serviceAccount),
  ];
  return subjects.length === 0 ? {} : { subjects };
}

function serviceAccount(text: string): JsonObject {
  const [namespace = '', name = '', more] = text.split(':');
  if (namespace === '' || name === '' || more !== undefined)
    throw new CtlError('serviceaccount must be <namespace>:<name>');
  return { kind: 'ServiceAccount', name, namespace };
}
