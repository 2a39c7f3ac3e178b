import { ConfigError } from '../config-error.ts';
import type { HeaderValue } from '../https/target.ts';
import type { UserEntry } from './kubeconfig.ts';

/** The headers that ask to be treated as somebody else. @throws ConfigError for groups and the like without a user. */
export function impersonationHeaders(user: UserEntry): Record<string, HeaderValue> {
  const { as, 'as-uid': uid, 'as-groups': groups = [], 'as-user-extra': extra = {} } = user;
  const extras = Object.entries(extra);
  if (as === undefined) {
    if (uid !== undefined || groups.length > 0 || extras.length > 0) {
      throw new ConfigError('a uid, groups or extra attributes are impersonated only along with a user', {
        hint: 'Name the user with --as.',
      });
    }
    return {};
  }
  return {
    'impersonate-user': as,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(extras.map(([key, values]) => [`impersonate-extra-${escapeKey(key)}`, values])),
  };
}

/** Keys may hold what header names may not. */
function escapeKey(key: string): string {
  const bytes = Buffer.from(key.toLowerCase(), 'utf8');
  return Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    return /[!#$&'*+.^_`|~0-9a-z-]/.test(char)
      ? char
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
