import { accountGroups, accountUser } from '../authn/service-account/claims.ts';
import { authenticatedUser } from '../authn/authenticator.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { requireAccessBy } from '../authz/require-access.ts';
import { findEntry } from '../controllers/find-entry.ts';
import { rowOf } from '../controllers/controller.ts';
import { isOutdated } from '../controllers/keyed-work.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { UserInfo } from '../request/context.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import { inProcess, type InProcess } from '../verbs/in-process.ts';
import type { ControlPlane } from './control-plane.ts';
import { serverItself } from './server-itself.ts';

export interface ControllerServerParts {
  readonly plane: Pick<ControlPlane, 'store' | 'verbs'>;
  readonly names: NamingProfile;
  readonly schemas: SchemaRegistry;
  readonly authorize: Authorizer;
}

/**
 * The server as a service account in the system namespace sees it: authorization is asked before each write. What
 * controllers know they have of the server's own watches. The account is made where it is missing.
 */
export function serverAsAccount(parts: ControllerServerParts, account: string, userAgent: string): InProcess {
  return inProcess(parts.plane.verbs, {
    userAgent,
    user: () => userOf(parts, account),
    requireAccess: requireAccessBy(parts.authorize),
  });
}

async function userOf(parts: ControllerServerParts, name: string): Promise<UserInfo> {
  const { plane, names, schemas } = parts;
  const namespace = names.get('namespace.system');
  const resource = rowOf(schemas, ['', 'v1', 'serviceaccounts']);
  const ref = { resource, namespace, name };
  const uid = (await findEntry(plane.store, ref, 'any'))?.uid ?? (await makeAccount(parts, ref));
  const user = { name: accountUser(namespace, name), uid, groups: accountGroups(namespace), extra: {} };
  return authenticatedUser(user);
}

async function makeAccount(
  parts: ControllerServerParts,
  ref: Parameters<typeof findEntry>[1],
): Promise<string> {
  const { resource, namespace, name } = ref;
  const account = { apiVersion: 'v1', kind: resource.kind, metadata: { namespace, name } };
  try {
    await serverItself(parts.plane.verbs, 'orch').create(resource, account);
  } catch (error) {
    // The cache doesn't know of it yet.
    if (!isOutdated(error)) throw error;
  }
  return (await findEntry(parts.plane.store, ref, 'latest'))?.uid ?? '';
}
