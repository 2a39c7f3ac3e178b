import { authenticatedUser, type Authenticator } from './authenticator.ts';
import type { Authorities } from './certificates.ts';
import { subjectOf } from './client-certificate.ts';
import { peerCertificates } from './peer-certificate.ts';

/** In which headers proxies name users. In any case. */
export interface ProxyHeaders {
  /** The first that has a value counts. */
  readonly username: readonly string[];
  readonly uid: readonly string[];
  /** All values of all of them count. */
  readonly groups: readonly string[];
  readonly extraPrefixes: readonly string[];
}

export interface ProxyParts {
  /** They vouch for proxies, and for nobody else. */
  readonly authorities: Authorities;
  /** Common names of proxies; none: all that the authorities vouch for. */
  readonly allowedNames: readonly string[];
  readonly headers: ProxyHeaders;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Users whom an authenticating proxy names in headers. Who connects must show a proxy's certificate: what anybody else
 * writes in these headers is not read.
 */
export function requestHeaders({ authorities, allowedNames, headers, now }: ProxyParts): Authenticator {
  const isProxy = peerCertificates({
    authorities,
    now,
    read: (certificate) => {
      const { commonName } = subjectOf(certificate);
      if (allowedNames.length > 0 && !allowedNames.includes(commonName)) {
        throw new Error(`the common name ${JSON.stringify(commonName)} is not in the allowed list`);
      }
      return true;
    },
  });
  const read = headerReader(headers);
  // What is thrown in there rejects.
  return ({ socket, rawHeaders }) =>
    new Promise((resolve) => {
      const user = isProxy(socket) === true ? read(rawHeaders) : undefined;
      resolve(user === undefined ? undefined : authenticatedUser(user));
    });
}

interface NamedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

function headerReader({ username, uid, groups, extraPrefixes }: ProxyHeaders) {
  const lower = (list: readonly string[]): string[] => list.map((name) => name.trim().toLowerCase());
  const names = lower(username);
  const uids = lower(uid);
  const groupNames = lower(groups);
  const prefixes = lower(extraPrefixes);
  return (rawHeaders: readonly string[]): NamedUser | undefined => {
    const values = valuesByName(rawHeaders);
    const first = (list: readonly string[]): string =>
      list.map((name) => values.get(name)?.[0] ?? '').find((value) => value !== '') ?? '';
    const name = first(names);
    if (name === '') return undefined;
    return {
      name,
      uid: first(uids),
      groups: groupNames.flatMap((one) => values.get(one) ?? []).filter((group) => group !== ''),
      extra: extraOf(values, prefixes),
    };
  };
}

/** All values of each header, by its name in lower case. Values aren't split: they may hold commas. */
function valuesByName(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    const before = values.get(name);
    if (before === undefined) values.set(name, [rawHeaders[at + 1] as string]);
    else before.push(rawHeaders[at + 1] as string);
  }
  return values;
}

function extraOf(
  values: ReadonlyMap<string, readonly string[]>,
  prefixes: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const [name, list] of values) {
      if (!name.startsWith(prefix)) continue;
      const key = unescapeKey(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...list]);
    }
  }
  return Object.fromEntries(extra);
}

/** Keys are percent-encoded where headers can't have their characters; what isn't encoded well is taken as it is. */
function unescapeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
