import type { Expression } from '../../schema/expressions/compile.ts';
import type { CompiledJwt, Rule } from './compile.ts';
import type { Claims } from './verify.ts';

/** Claims as they are, and as expressions see them. */
export interface ClaimValues {
  readonly claims: Claims;
  /** Undefined where no expression asks for it. */
  readonly forExpressions: unknown;
}

/** @throws Error for a token that doesn't say who the user is. */
export function usernameOf({ configuration, expressions }: CompiledJwt, values: ClaimValues): string {
  if (expressions.username !== undefined) {
    const name = text(expressions.username, 'username', values);
    if (name === '') throw new Error('oidc: empty username via CEL expression is not allowed');
    return name;
  }
  const { claim, prefix = '' } = configuration.claimMappings.username;
  const { claims } = values;
  const name = stringClaim(claims, claim, `oidc: parse username claims ${JSON.stringify(claim)}`);
  if (name === '') throw new Error(`oidc: the username claim ${JSON.stringify(claim)} is empty`);
  if (claim === 'email' && Object.hasOwn(claims, 'email_verified')) {
    const verified = claims['email_verified'];
    if (typeof verified !== 'boolean') throw new Error("oidc: parse 'email_verified' claim: not a boolean");
    if (!verified) throw new Error('oidc: email not verified');
  }
  return prefix + name;
}

/** @throws Error for groups that are neither a text nor a list of texts. */
export function groupsOf(
  { configuration, expressions }: CompiledJwt,
  values: ClaimValues,
): readonly string[] {
  const { claim, prefix = '' } = configuration.claimMappings.groups;
  if (claim !== '' && Object.hasOwn(values.claims, claim)) {
    const given = values.claims[claim];
    const groups = given === null ? [] : typeof given === 'string' ? [given] : given;
    if (!isTexts(groups))
      throw new Error(`oidc: parse groups claim ${JSON.stringify(claim)}: not a list of texts`);
    return prefix === '' ? groups : groups.map((group) => prefix + group);
  }
  return expressions.groups === undefined ? [] : texts(expressions.groups, 'group', values);
}

/** @throws Error where the claim that it is made of is absent. */
export function uidOf({ configuration, expressions }: CompiledJwt, values: ClaimValues): string {
  const { claim } = configuration.claimMappings.uid;
  if (claim !== '')
    return stringClaim(values.claims, claim, `oidc: parse uid claim ${JSON.stringify(claim)}`);
  return expressions.uid === undefined ? '' : text(expressions.uid, 'uid', values);
}

/** @param credentialKey the key of the token's own id. */
export function extraOf(
  { expressions }: CompiledJwt,
  values: ClaimValues,
  credentialKey: string,
): Readonly<Record<string, readonly string[]>> {
  const { jti } = values.claims;
  const own = typeof jti === 'string' && jti !== '' ? [[credentialKey, [`JTI=${jti}`]] as const] : [];
  const mapped = expressions.extra.map(
    ({ key, expression }) => [key, texts(expression, 'extra', values)] as const,
  );
  return Object.fromEntries([...own, ...mapped.filter(([, list]) => list.length > 0)]);
}

/** @throws Error naming the claim that lacks, or has another value than it must have. */
export function requireClaims({ configuration }: CompiledJwt, { claims }: ClaimValues): void {
  for (const { claim, requiredValue } of configuration.claimValidationRules) {
    if (claim === '') continue;
    if (!Object.hasOwn(claims, claim))
      throw new Error(`oidc: required claim ${claim} not present in ID token`);
    if (stringClaim(claims, claim, `oidc: parse claim ${claim}`) !== requiredValue) {
      throw new Error(`oidc: required claim ${claim} value does not match`);
    }
  }
}

/** @throws Error with the message of the first rule that is not true. */
export function requireRules(
  rules: readonly Rule[],
  what: string,
  variables: Readonly<Record<string, unknown>>,
): void {
  for (const { expression, message } of rules) {
    const result = evaluate(expression, what, variables);
    if (result === true) continue;
    const why =
      result === false
        ? `validation expression '${expression.text}' failed: ${message}`
        : 'validation expression must return a boolean';
    throw new Error(`oidc: error evaluating ${what}: ${why}`);
  }
}

/** A mapping that must come to a text. */
function text(expression: Expression, what: string, { forExpressions }: ClaimValues): string {
  const result = evaluate(expression, `${what} claim expression`, { claims: forExpressions });
  if (typeof result === 'string') return result;
  throw new Error(
    `oidc: error evaluating ${what} claim expression: ${what} claim expression must return a string`,
  );
}

/** A mapping that must come to a text or a list of texts; empty ones, and null, stand for nothing. */
function texts(expression: Expression, what: string, { forExpressions }: ClaimValues): readonly string[] {
  const result = evaluate(expression, `${what} claim expression`, { claims: forExpressions });
  if (result === null) return [];
  const list = typeof result === 'string' ? [result] : result;
  if (isTexts(list)) return list.filter((one) => one !== '');
  throw new Error(
    `oidc: error evaluating ${what} claim expression: expression must return a string or a list of strings`,
  );
}

function evaluate(
  expression: Expression,
  what: string,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  try {
    return expression.evaluate(variables);
  } catch (cause) {
    throw new Error(`oidc: error evaluating ${what}: ${(cause as Error).message}`, { cause });
  }
}

function stringClaim(claims: Claims, claim: string, what: string): string {
  if (!Object.hasOwn(claims, claim)) throw new Error(`${what}: claim not present`);
  const value = claims[claim];
  if (typeof value !== 'string') throw new Error(`${what}: not a text`);
  return value;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
