import { readFile } from 'node:fs/promises';
import type { Clock } from '../../lib/clock.ts';
import { ConfigError } from '../config-error.ts';
import { fixedCredentials, type Credentials, type CredentialSource } from '../https/credentials.ts';
import { checkPair, readPem } from './certificates.ts';
import type { Selection } from './select.ts';

/** A token's file is read anew this often: what writes it renews it in time. */
const TOKEN_FILE_MS = 60_000;

/**
 * The credentials that a user entry holds itself: certificate, token, file of a token, name and password.
 *
 * @throws ConfigError for those that are missing in part, damaged, expired, or of a kind that can't be used.
 */
export async function userCredentials(selection: Selection, clock: Clock): Promise<CredentialSource> {
  const { user, userName } = selection;
  const owner = userName === '' ? 'the user' : `user ${JSON.stringify(userName)}`;
  refuseOdd(selection, owner);
  const certificate = await certificateOf(selection, owner, clock);
  const fixed: Credentials = {
    ...(certificate === undefined ? {} : { certificate }),
    ...authorizationOf(selection),
  };
  const { tokenFile } = user;
  if (tokenFile === undefined) return fixedCredentials(fixed);
  const source = new TokenFile(tokenFile, fixed, clock);
  await source.get();
  return source;
}

function refuseOdd({ user }: Selection, owner: string): void {
  const { token, tokenFile, username, password, 'auth-provider': provider } = user;
  if (provider !== undefined) {
    throw new ConfigError(
      `the auth provider ${JSON.stringify(provider.name ?? '')} of ${owner} is not supported`,
      {
        hint: 'Providers became programs: give the user an exec section in its place.',
      },
    );
  }
  if (
    (token !== undefined || tokenFile !== undefined) &&
    (username !== undefined || password !== undefined)
  ) {
    throw new ConfigError(`${owner} has both a token and a name with a password: only one can be used`);
  }
}

function authorizationOf({
  user: { token, username, password },
}: Selection): Pick<Credentials, 'authorization'> {
  if (token !== undefined) return { authorization: `Bearer ${token.trim()}` };
  if (username === undefined) return {};
  const pair = Buffer.from(`${username}:${password ?? ''}`, 'utf8').toString('base64');
  return { authorization: `Basic ${pair}` };
}

async function certificateOf(
  { user }: Selection,
  owner: string,
  clock: Clock,
): Promise<Credentials['certificate']> {
  const [cert, key] = await Promise.all([
    readPem(
      { data: user['client-certificate-data'], file: user['client-certificate'] },
      `the client certificate of ${owner}`,
    ),
    readPem({ data: user['client-key-data'], file: user['client-key'] }, `the client key of ${owner}`),
  ]);
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new ConfigError(`${owner} has a client key, but no client certificate`);
  if (key === undefined) throw new ConfigError(`${owner} has a client certificate, but no client key`);
  return checkPair({ cert, key, owner, now: clock.now() });
}

/** A token that stands in a file, which counts before one in the configuration. */
class TokenFile implements CredentialSource {
  readonly #path: string;
  readonly #rest: Credentials;
  readonly #clock: Clock;
  #read: Promise<Credentials> | undefined;
  #freshUntil = -Infinity;

  constructor(path: string, rest: Credentials, clock: Clock) {
    this.#path = path;
    this.#rest = rest;
    this.#clock = clock;
  }

  get(): Promise<Credentials> {
    const now = this.#clock.monotonic();
    if (this.#read === undefined || now >= this.#freshUntil) {
      this.#freshUntil = now + TOKEN_FILE_MS;
      this.#read = this.#load();
    }
    return this.#read;
  }

  refused(): void {
    this.#freshUntil = -Infinity;
  }

  async #load(): Promise<Credentials> {
    try {
      const token = (await readFile(this.#path, 'utf8')).trim();
      if (token !== '') return { ...this.#rest, authorization: `Bearer ${token}` };
    } catch (cause) {
      this.#freshUntil = -Infinity;
      throw new ConfigError(`unable to read the token file ${this.#path}: ${(cause as Error).message}`, {
        cause,
      });
    }
    this.#freshUntil = -Infinity;
    throw new ConfigError(`the token file ${this.#path} is empty`);
  }
}
