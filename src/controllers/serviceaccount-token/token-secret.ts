import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { StoredEntry } from '../../store/object-store.ts';

/** What a Secret for the token of an account says of itself. */
export interface TokenSecret {
  readonly entry: StoredEntry;
  /** The account that its token is for. */
  readonly account: string;
  /** Of that account; '' as long as no token was made. */
  readonly accountUid: string;
}

/** The account that Secrets are for, as they are annotated with it. */
export interface AccountAnnotations {
  readonly name: string;
  readonly uid: string;
}

export function accountAnnotations(names: NamingProfile): AccountAnnotations {
  return {
    name: names.get('annotation.service-account-name'),
    uid: names.get('annotation.service-account-uid'),
  };
}

export function tokenSecret(entry: StoredEntry, keys: AccountAnnotations): TokenSecret {
  const annotations = entry.object().metadata.annotations ?? {};
  return { entry, account: annotations[keys.name] ?? '', accountUid: annotations[keys.uid] ?? '' };
}

/** What is put into Secrets. */
export interface Filling {
  readonly annotations: AccountAnnotations;
  /** The authority of the server, PEM; '' for none. */
  readonly authority: string;
  /** Makes a token. */
  readonly issue: (account: TokenAccount, secret: { readonly name: string }) => string;
}

/** Whom a token is for. */
export interface TokenAccount {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Puts into a Secret what it lacks: a token, the namespace, the authority of the server.
 *
 * @param secret changed in place. @returns whether anything was missing
 */
export function fillSecret(secret: ApiObject, account: TokenAccount, filling: Filling): boolean {
  const { annotations, authority, issue } = filling;
  const { metadata } = secret;
  const data: JsonObject = { ...objectAt(secret, 'data') };
  const missing: JsonObject = {};
  const published = base64(authority);
  if (authority !== '' && data['ca.crt'] !== published) missing['ca.crt'] = published;
  if (textAt(data, 'namespace') === '') missing['namespace'] = base64(account.namespace);
  if (textAt(data, 'token') === '') missing['token'] = base64(issue(account, { name: metadata.name ?? '' }));
  if (Object.keys(missing).length === 0) return false;
  secret['data'] = { ...data, ...missing };
  metadata.annotations = {
    ...metadata.annotations,
    [annotations.name]: account.name,
    [annotations.uid]: account.uid,
  };
  return true;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
