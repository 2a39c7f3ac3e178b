import { randomInt } from 'node:crypto';
import { CtlError } from '../errors.ts';

/** A bootstrap token: an id that may be known, and a secret. */
export interface TokenText {
  readonly id: string;
  readonly secret: string;
}

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const ID = /^[a-z0-9]{6}$/;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new token. */
export function generateToken(): TokenText {
  return { id: randomText(6), secret: randomText(16) };
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

export function formatToken({ id, secret }: TokenText): string {
  return `${id}.${secret}`;
}

/** Reads `ID.SECRET`. @throws CtlError, which doesn't repeat what may be a secret. */
export function parseToken(text: string): TokenText {
  const [, id = '', secret = ''] = TOKEN.exec(text) ?? [];
  if (id === '') {
    throw new CtlError(`the bootstrap token is not of the form ${TOKEN.source}`, {
      hint: 'orchctl token generate makes one that is.',
    });
  }
  return { id, secret };
}

/** The id of a token that is given by its id, or whole. @throws CtlError */
export function tokenId(text: string): string {
  return ID.test(text) ? text : parseToken(text).id;
}
