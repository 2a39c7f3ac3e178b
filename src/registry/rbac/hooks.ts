import type { NamingProfile } from '../../names/profile.ts';
import { objectsAt, textAt } from '../fields.ts';
import type { ResourceHooks } from '../hooks.ts';

/** Role bindings: subjects' groups follow from their kinds. */
export function roleBindingHooks(names: NamingProfile): ResourceHooks {
  const group = names.get('group.rbac');
  return {
    defaults(binding) {
      for (const subject of objectsAt(binding, 'subjects')) {
        if (textAt(subject, 'apiGroup') !== '') continue;
        if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup = group;
      }
    },
  };
}
