import { authenticatedUser } from '../authenticator.ts';
import { common, type TokenAuthenticator, type TokenUser } from '../token.ts';

export interface TokenWebhookParts {
  /** Posts a review and returns the one that is answered. @throws Error that says nothing of what was sent. */
  readonly review: (review: object) => Promise<Readonly<Record<string, unknown>>>;
  /** Of TokenReview, e.g. `authentication.example.com/v1`. */
  readonly apiVersion: string;
  /** Those that a token is for where the answer doesn't say. */
  readonly audiences: readonly string[];
}

/** What a review's status may say, as unchecked as it comes. */
interface Status {
  readonly authenticated?: unknown;
  readonly user?: unknown;
  readonly audiences?: unknown;
  readonly error?: unknown;
}

const MAX_ERROR = 200;

/** Asks a webhook whose a token is (TokenReview). */
export function tokenWebhook({ review, apiVersion, audiences: own }: TokenWebhookParts): TokenAuthenticator {
  return async function reviewedToken(token, wanted) {
    const spec = { token, audiences: wanted };
    const { status } = await review({ apiVersion, kind: 'TokenReview', spec });
    return userOf(isObject(status) ? status : {}, { token, wanted, own });
  };
}

interface Asked {
  readonly token: string;
  readonly wanted: readonly string[];
  readonly own: readonly string[];
}

function userOf(status: Status, { token, wanted, own }: Asked): TokenUser | undefined {
  const said = texts(status.audiences, 'audiences');
  const audiences = common(said.length > 0 ? said : own, wanted);
  if (audiences.length === 0) return undefined;
  if (status.authenticated !== true) {
    if (typeof status.error !== 'string' || status.error === '') return undefined;
    // A webhook that repeats the token must not make us log it.
    throw new Error(status.error.replaceAll(token, '<token>').slice(0, MAX_ERROR));
  }
  const { username, uid = '', groups, extra } = isObject(status.user) ? status.user : {};
  if (typeof username !== 'string' || username === '') throw wrong('user.username');
  if (typeof uid !== 'string') throw wrong('user.uid');
  const user = { name: username, uid, groups: texts(groups, 'user.groups'), extra: extraOf(extra) };
  return { user: authenticatedUser(user), audiences };
}

function extraOf(value: unknown): Readonly<Record<string, readonly string[]>> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw wrong('user.extra');
  return Object.fromEntries(Object.entries(value).map(([key, list]) => [key, texts(list, 'user.extra')]));
}

function texts(value: unknown, what: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) throw wrong(what);
  return value;
}

function wrong(what: string): Error {
  return new Error(`the token webhook answered a review whose status.${what} is not what it should be`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
