import { hash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import type { UserInfo } from '../request/context.ts';
import { authenticatedUser } from './authenticator.ts';
import type { TokenUser } from './token.ts';

/** By digest: a comparison with a token's digest says nothing about the token, however long it takes. */
type Users = ReadonlyMap<string, UserInfo>;

/**
 * Static bearer tokens from `--token-auth-file`: CSV with the columns token, user name, user uid, and groups, which may
 * be one quoted comma-separated column or further columns. They are for any audience.
 *
 * @param text the file's content.
 * @throws Error naming the row that has fewer than three columns, or an empty token, or one given before.
 */
export function tokenFile(
  text: string,
): (token: string) => Promise<Omit<TokenUser, 'audiences'> | undefined> {
  const users = parseTokens(text);
  return function staticToken(token) {
    const user = users.get(digestOf(token));
    return Promise.resolve(user === undefined ? undefined : { user, lasting: true });
  };
}

function parseTokens(text: string): Users {
  const seen = new Set<string>();
  const records: string[][] = parse(text, { relax_column_count: true, skip_empty_lines: true, trim: true });
  const users = records.map(([token = '', name = '', uid, ...groups], index) => {
    const row = `row ${index + 1}`;
    if (uid === undefined) throw new Error(`${row}: want token, user name, user uid and optional groups`);
    if (token === '') throw new Error(`${row}: the token is empty`);
    if (seen.has(token)) throw new Error(`${row}: the token occurs a second time`);
    seen.add(token);
    const user = authenticatedUser({ name, uid, groups: groups.flatMap(splitGroups) });
    return [digestOf(token), user] as const;
  });
  return new Map(users);
}

function splitGroups(column: string): string[] {
  return column.split(',').flatMap((group) => (group.trim() === '' ? [] : [group.trim()]));
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
