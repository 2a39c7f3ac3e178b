import type { ApiGroup } from '../../../client/discovery/read-all.ts';
import { readServed } from '../../../client/discovery/read-all.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import { CtlError } from '../errors.ts';
import type { Api } from './api.ts';

/** What the server serves, and in whose names. */
export interface Discovery {
  readonly names: NamingProfile;
  /** In the server's order, which is that of preference; the core group first. */
  readonly groups: readonly ApiGroup[];
}

/**
 * Asks the server what it serves, in every naming profile at once.
 *
 * @param profiles in order of preference.
 * @throws CtlError when the server has none of them.
 */
export async function discover(api: Api, profiles: readonly NamingProfile[]): Promise<Discovery> {
  const { groups, names } = await readServed(api, profiles).catch(notAnApiServer(api.server));
  if (names !== undefined) return { names, groups };
  const known = profiles.map(({ name }) => name).join(' or ');
  throw new CtlError(`${api.server} doesn't tell what it serves in the names of ${known}`, {
    hint: 'The server has another naming profile than --naming says.',
  });
}

function notAnApiServer(server: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error && error.cause instanceof SyntaxError)) throw error;
    throw new CtlError(`${server}: ${error.message}`, {
      hint: 'Is this the address of an API server?',
      cause: error,
    });
  };
}
