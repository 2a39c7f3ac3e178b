import { objectsAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceHooks } from '../hooks.ts';

/** ServiceAccounts: secrets are of their namespace, and who newly asks for a check of mounted ones is told that it won't last. */
export function serviceAccountHooks(names: NamingProfile): ResourceHooks {
  const enforced = names.get('annotation.enforce-mountable-secrets');
  return {
    prepareForCreate: keepNamesOfSecrets,
    prepareForUpdate: keepNamesOfSecrets,
    warnings: ({ metadata }, old) =>
      metadata.annotations?.[enforced] === undefined || old?.metadata.annotations?.[enforced] !== undefined
        ? []
        : [
            `metadata.annotations[${enforced}]: deprecated in v1.32+; prefer a namespace for each kind of access`,
          ],
  };
}

/** Of references to secrets nothing but the names counts. */
function keepNamesOfSecrets(account: ApiObject): void {
  if (account.secrets === undefined) return;
  account.secrets = objectsAt(account, 'secrets').map(({ name }) => (name === undefined ? {} : { name }));
}
