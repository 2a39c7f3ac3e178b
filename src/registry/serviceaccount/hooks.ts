import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceHooks } from '../hooks.ts';

/** ServiceAccounts: who newly asks for a check of mounted secrets is told that it won't last. */
export function serviceAccountHooks(names: NamingProfile): ResourceHooks {
  const enforced = names.get('annotation.enforce-mountable-secrets');
  return {
    warnings: ({ metadata }, old) =>
      metadata.annotations?.[enforced] === undefined || old?.metadata.annotations?.[enforced] !== undefined
        ? []
        : [
            `metadata.annotations[${enforced}]: deprecated in v1.32+; prefer a namespace for each kind of access`,
          ],
  };
}
