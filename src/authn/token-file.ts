import { createHash, timingSafeEqual } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import type { UserInfo } from '../request/context.ts';
import { authenticatedUser, bearerToken, type Authenticator } from './authenticator.ts';

interface TokenRow {
  readonly digest: Buffer;
  readonly user: UserInfo;
}

/**
 * Static bearer tokens from `--token-auth-file`: CSV with the columns token, user name, user uid, and groups, which may
 * be one quoted comma-separated column or further columns.
 *
 * @param text the file's content.
 * @throws Error naming the row that has fewer than three columns, or an empty token, or one given before.
 */
export function tokenFile(text: string): Authenticator {
  const rows = parseTokens(text);
  return function staticToken(credentials) {
    const token = bearerToken(credentials);
    return Promise.resolve(token === undefined ? undefined : findUser(rows, token));
  };
}

/** Tokens are compared by digest, all of them each time, so that the time taken says nothing about them. */
function findUser(rows: readonly TokenRow[], token: string): UserInfo | undefined {
  const digest = digestOf(token);
  let user: UserInfo | undefined;
  for (const row of rows) if (timingSafeEqual(row.digest, digest)) user = row.user;
  return user;
}

function parseTokens(text: string): TokenRow[] {
  const seen = new Set<string>();
  const records: string[][] = parse(text, { relax_column_count: true, skip_empty_lines: true, trim: true });
  return records.map(([token = '', name = '', uid, ...groups], index) => {
    const row = `row ${index + 1}`;
    if (uid === undefined) throw new Error(`${row}: want token, user name, user uid and optional groups`);
    if (token === '') throw new Error(`${row}: the token is empty`);
    if (seen.has(token)) throw new Error(`${row}: the token occurs a second time`);
    seen.add(token);
    return {
      digest: digestOf(token),
      user: authenticatedUser({ name, uid, groups: groups.flatMap(splitGroups) }),
    };
  });
}

function splitGroups(column: string): string[] {
  return column.split(',').flatMap((group) => (group.trim() === '' ? [] : [group.trim()]));
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
