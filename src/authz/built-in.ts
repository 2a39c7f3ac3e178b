import { ALLOW, NO_OPINION, type Authorizer } from './authorizer.ts';

const MASTERS = 'system:masters';

/** Members of `system:masters` may do everything, whatever else is configured. */
export const masters: Authorizer = ({ user }) =>
  Promise.resolve(user.groups.includes(MASTERS) ? ALLOW : NO_OPINION);

/**
 * Paths that everybody may read: health, version. What `system:public-info-viewer` grants, until roles exist.
 */
const PUBLIC_PATHS: readonly string[] = ['/healthz', '/livez', '/readyz', '/version'];

/** Health and version are public, with what lies below them. */
export const publicPaths: Authorizer = ({ info }) => {
  const reads = info.method === 'GET' || info.method === 'HEAD';
  const open = !info.isResourceRequest && reads && PUBLIC_PATHS.some((path) => isWithin(info.path, path));
  return Promise.resolve(open ? ALLOW : NO_OPINION);
};

function isWithin(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}
