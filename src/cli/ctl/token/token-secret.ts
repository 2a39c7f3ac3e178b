import { BOOTSTRAP_SECRET_PREFIX } from '../../../authn/bootstrap-token/secret.ts';
import type { ApiObject } from '../../../meta/object.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import type { ApiResource } from '../api/resource.ts';
import { resourcePath } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError } from '../errors.ts';
import type { TokenText } from './bootstrap-token.ts';

/** What a token may be used for. */
export const USAGES = ['signing', 'authentication'];
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

export interface NewToken {
  readonly token: TokenText;
  readonly usages: readonly string[];
  readonly groups: readonly string[];
  readonly description: string;
  /** RFC 3339; undefined for none. */
  readonly expires: string | undefined;
}

/** The Secret that makes a token valid. @throws CtlError for usages and groups that tokens can't have */
export function tokenSecret(given: NewToken, names: NamingProfile): ApiObject {
  const { token, usages, groups, description, expires } = given;
  const unknown = usages.find((usage) => !USAGES.includes(usage));
  if (unknown !== undefined)
    throw new CtlError(`invalid usage ${JSON.stringify(unknown)}: it is one of ${USAGES.join(', ')}`);
  const wrong = groups.find((group) => !GROUP.test(group));
  if (wrong !== undefined)
    throw new CtlError(`invalid group ${JSON.stringify(wrong)}: it must match ${GROUP.source}`);
  if (groups.length > 0 && !usages.includes('authentication'))
    throw new CtlError('groups need the usage authentication: without it nobody gets into them');
  const texts: Record<string, string> = {
    'token-id': token.id,
    'token-secret': token.secret,
    ...(expires === undefined ? {} : { expiration: expires }),
    ...Object.fromEntries(usages.map((usage) => [`usage-bootstrap-${usage}`, 'true'])),
    ...(groups.length === 0 ? {} : { 'auth-extra-groups': groups.join(',') }),
    ...(description === '' ? {} : { description }),
  };
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: BOOTSTRAP_SECRET_PREFIX + token.id, namespace: names.get('namespace.system') },
    type: names.get('secretType.bootstrap-token'),
    data,
  };
}

/** Where Secrets of tokens are. */
export interface TokenPlace {
  readonly resource: ApiResource;
  readonly namespace: string;
}

export async function tokenPlace(context: CommandContext): Promise<TokenPlace> {
  const mapper = await context.resources();
  return { resource: mapper.find('secrets'), namespace: mapper.names.get('namespace.system') };
}

/** The path of a token's Secret. */
export function tokenPath(place: TokenPlace, id: string): string {
  return resourcePath({ ...place, name: BOOTSTRAP_SECRET_PREFIX + id });
}
