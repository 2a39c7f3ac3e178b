import { hash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { parse } from 'csv-parse/sync';
import type { UserInfo } from '../request/context.ts';
import { authenticatedUser, bearerToken, type Authenticator } from './authenticator.ts';

/** By digest: a comparison with a token's digest says nothing about the token, however long it takes. */
type Users = ReadonlyMap<string, UserInfo>;

/** What a connection showed last, and whose it is. */
interface Shown {
  readonly authorization: string;
  readonly user: Promise<UserInfo | undefined>;
}

/**
 * Static bearer tokens from `--token-auth-file`: CSV with the columns token, user name, user uid, and groups, which may
 * be one quoted comma-separated column or further columns.
 *
 * @param text the file's content.
 * @throws Error naming the row that has fewer than three columns, or an empty token, or one given before.
 */
export function tokenFile(text: string): Authenticator {
  const users = parseTokens(text);
  // A connection's requests mostly carry one token: it is digested once. The comparison with what that same connection
  // has shown before tells nobody anything.
  const shown = new WeakMap<TLSSocket, Shown>();
  return function staticToken(credentials) {
    const { authorization, socket } = credentials;
    const before = shown.get(socket);
    if (before !== undefined && before.authorization === authorization) return before.user;
    const token = bearerToken(credentials);
    if (authorization === undefined || token === undefined) return Promise.resolve(undefined);
    const user = Promise.resolve(users.get(digestOf(token)));
    shown.set(socket, { authorization, user });
    return user;
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
