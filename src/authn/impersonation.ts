import { ApiError } from '../errors/api-error.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../meta/names.ts';
import type { UserInfo } from '../request/context.ts';
import { resourceInfo, type RequestInfo } from '../request/request-info.ts';

/** Whom a request wants to be, as its `Impersonate-*` headers say. */
export interface Impersonation {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const PREFIX = 'impersonate-';
const EXTRA_PREFIX = 'impersonate-extra-';
const ACCOUNT = 'system:serviceaccount:';
const ANONYMOUS_NAME = 'system:anonymous';
const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';

/**
 * Reads the headers of a request that impersonates somebody.
 *
 * @param rawHeaders names and values in turn, as received: values may hold commas, and names may be repeated.
 * @returns undefined where it impersonates nobody. @throws ApiError 500 as a text, as clients expect, without a user's name.
 */
export function readImpersonation(rawHeaders: readonly string[]): Impersonation | undefined {
  let name = '';
  let uid = '';
  const groups: string[] = [];
  const extra: Record<string, string[]> = {};
  let asked = false;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const header = (rawHeaders[i] as string).toLowerCase();
    if (!header.startsWith(PREFIX)) continue;
    const value = rawHeaders[i + 1] as string;
    asked = true;
    if (header === 'impersonate-user') name ||= value;
    else if (header === 'impersonate-uid') uid ||= value;
    else if (header === 'impersonate-group') groups.push(value);
    else if (header.startsWith(EXTRA_PREFIX)) {
      const key = extraKey(header.slice(EXTRA_PREFIX.length));
      if (Object.hasOwn(extra, key)) (extra[key] as string[]).push(value);
      else Object.defineProperty(extra, key, { value: [value], enumerable: true });
    }
  }
  if (!asked) return undefined;
  if (name !== '') return { name, uid, groups, extra };
  if (uid === '' && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  const message = 'requested a uid, groups or extra values to impersonate, without impersonating a user';
  throw new ApiError('InternalError', message, { asText: true });
}

/** Keys are percent-encoded where headers can't have their characters; what isn't encoded well is taken as it is. */
function extraKey(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text;
  }
}

/** What the impersonating user must be allowed to do, each thing by itself (verb `impersonate`). */
export function impersonationChecks(
  { name, uid, groups, extra }: Impersonation,
  authenticationGroup: string,
): RequestInfo[] {
  const account = accountOf(name);
  const users =
    account === undefined
      ? check({ resource: 'users', name })
      : check({ resource: 'serviceaccounts', namespace: account.namespace, name: account.name });
  const own = { group: authenticationGroup };
  return [
    users,
    ...groups.map((group) => check({ resource: 'groups', name: group })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => check({ ...own, resource: 'userextras', subresource: key, name: value })),
    ),
    ...(uid === '' ? [] : [check({ ...own, resource: 'uids', name: uid })]),
  ];
}

function check(what: Partial<RequestInfo>): RequestInfo {
  return resourceInfo({ verb: 'impersonate', version: 'v1', ...what });
}

/** The user that the request is from then on: service accounts and authenticated users are in their groups. */
export function impersonatedUser({ name, uid, groups, extra }: Impersonation): UserInfo {
  const account = accountOf(name);
  const own =
    groups.length > 0 || account === undefined
      ? groups
      : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  const implied = name === ANONYMOUS_NAME ? UNAUTHENTICATED : AUTHENTICATED;
  const known = own.includes(AUTHENTICATED) || own.includes(UNAUTHENTICATED);
  return { name, uid, groups: known ? own : [...own, implied], extra };
}

/** The account that a user name stands for, if it does. */
function accountOf(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(ACCOUNT)) return undefined;
  const [namespace = '', name = '', ...rest] = user.slice(ACCOUNT.length).split(':');
  if (rest.length > 0 || dnsLabelProblems(namespace).length + dnsSubdomainProblems(name).length > 0)
    return undefined;
  return { namespace, name };
}
