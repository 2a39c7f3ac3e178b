import { duplicate, invalid, required, tooMany, type FieldError } from '../../errors/field-error.ts';
import type { Expression, ExpressionCompiler } from '../../schema/expressions/compile.ts';
import { checkExtraKey } from './check-extra-key.ts';
import { checkIssuer } from './check-issuer.ts';
import type { JwtConfiguration } from './configuration.ts';

/** An expression that must be true, and what is said where it isn't. */
export interface Rule {
  readonly expression: Expression;
  readonly message: string;
}

/** The expressions of a configuration. */
export interface JwtExpressions {
  readonly username: Expression | undefined;
  readonly groups: Expression | undefined;
  readonly uid: Expression | undefined;
  readonly extra: readonly { readonly key: string; readonly expression: Expression }[];
  readonly claimRules: readonly Rule[];
  readonly userRules: readonly Rule[];
}

/** A configuration that was checked, and its expressions. */
export interface CompiledJwt {
  readonly configuration: JwtConfiguration;
  readonly expressions: JwtExpressions;
}

export interface CompileParts {
  readonly compiler: ExpressionCompiler;
  /** Issuers that are taken: those of service accounts. */
  readonly disallowedIssuers: readonly string[];
  /** Domains whose keys of extra values nobody else may use. */
  readonly reservedDomains: readonly string[];
}

const MAX_ISSUERS = 64;
const CLAIMS = { claims: 'map<string, dyn>' } as const;
const USER = {
  user: {
    ...{ username: 'string', uid: 'string', groups: 'list<string>' },
    extra: 'map<string, list<string>>',
  },
} as const;

/** Whether anything is said by an expression. */
export function usesExpressions(jwt: readonly JwtConfiguration[]): boolean {
  return jwt.some(({ claimMappings, claimValidationRules, userValidationRules }) => {
    const { username, groups, uid, extra } = claimMappings;
    const one = [username, groups, uid, ...claimValidationRules].some(({ expression }) => expression !== '');
    return one || extra.length > 0 || userValidationRules.length > 0;
  });
}

/** Checks the issuers of a configuration and compiles what they say. @returns everything that is wrong, too. */
export function compileIssuers(
  jwt: readonly JwtConfiguration[],
  parts: CompileParts,
): { readonly compiled: readonly CompiledJwt[]; readonly errors: readonly FieldError[] } {
  if (jwt.length > MAX_ISSUERS) return { compiled: [], errors: [tooMany('jwt', jwt.length, MAX_ISSUERS)] };
  const errors: FieldError[] = [];
  const compiled = jwt.map((configuration, index) => {
    const path = `jwt[${index}]`;
    const one = new IssuerCompilation(configuration, path, parts);
    const expressions = one.run();
    errors.push(...one.errors, ...repeated(jwt, index));
    return { configuration, expressions };
  });
  return { compiled, errors };
}

/** Two issuers must not be the same, nor be found at the same place. */
function repeated(jwt: readonly JwtConfiguration[], index: number): FieldError[] {
  const issuer = jwt[index]?.issuer;
  if (issuer === undefined) return [];
  const before = jwt.slice(0, index);
  const again = (field: 'url' | 'discoveryURL'): FieldError[] =>
    issuer[field] !== '' && before.some((one) => one.issuer[field] === issuer[field])
      ? [duplicate(`jwt[${index}].issuer.${field}`, issuer[field])]
      : [];
  return [...again('url'), ...again('discoveryURL')];
}

class IssuerCompilation {
  readonly errors: FieldError[] = [];
  readonly #configuration: JwtConfiguration;
  readonly #path: string;
  readonly #parts: CompileParts;

  constructor(configuration: JwtConfiguration, path: string, parts: CompileParts) {
    this.#configuration = configuration;
    this.#path = path;
    this.#parts = parts;
  }

  run(): JwtExpressions {
    const { issuer, claimMappings } = this.#configuration;
    this.errors.push(...checkIssuer(issuer, `${this.#path}.issuer`, this.#parts.disallowedIssuers));
    const claimRules = this.#claimRules();
    const path = `${this.#path}.claimMappings`;
    const username = this.#prefixed(claimMappings.username, `${path}.username`, true);
    const groups = this.#prefixed(claimMappings.groups, `${path}.groups`, false);
    const uid = this.#uid();
    const extra = this.#extra();
    const verified = [
      username,
      ...claimRules.map((rule) => rule.expression),
      ...extra.map((one) => one.expression),
    ];
    if (
      username?.selects('email', 'claims') === true &&
      !verified.some((one) => one?.selects('email_verified', 'claims') === true)
    ) {
      const detail =
        'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';
      this.#add(invalid(`${path}.username.expression`, username.text, detail));
    }
    return { username, groups, uid, extra, claimRules, userRules: this.#userRules() };
  }

  #claimRules(): Rule[] {
    const { claimValidationRules } = this.#configuration;
    const claims = new Set<string>();
    const expressions = new Set<string>();
    return claimValidationRules.flatMap(({ claim, expression, requiredValue, message }, index) => {
      const path = `${this.#path}.claimValidationRules[${index}]`;
      if (claim !== '' && expression !== '')
        return this.#add(invalid(path, claim, "claim and expression can't both be set"));
      if (claim === '' && expression === '')
        return this.#add(required(path, 'claim or expression is required'));
      if (claim !== '') {
        if (message !== '')
          this.#add(invalid(`${path}.message`, message, "message can't be set when claim is set"));
        return isNew(claims, claim) ? [] : this.#add(duplicate(`${path}.claim`, claim));
      }
      if (requiredValue !== '') {
        const detail = "requiredValue can't be set when expression is set";
        this.#add(invalid(`${path}.requiredValue`, requiredValue, detail));
      }
      return this.#rule({ expression, message }, { path, seen: expressions, variables: CLAIMS });
    });
  }

  #userRules(): Rule[] {
    const seen = new Set<string>();
    return this.#configuration.userValidationRules.flatMap((rule, index) => {
      const path = `${this.#path}.userValidationRules[${index}]`;
      if (rule.expression === '') return this.#add(required(`${path}.expression`, 'expression is required'));
      return this.#rule(rule, { path, seen, variables: USER });
    });
  }

  #rule(
    { expression: text, message }: { readonly expression: string; readonly message: string },
    { path, seen, variables }: { path: string; seen: Set<string>; variables: typeof CLAIMS | typeof USER },
  ): Rule[] {
    if (!isNew(seen, text)) return this.#add(duplicate(`${path}.expression`, text));
    const expression = this.#compile(text, `${path}.expression`, { variables, result: 'bool' });
    return expression === undefined ? [] : [{ expression, message }];
  }

  #prefixed(
    { claim, prefix, expression }: JwtConfiguration['claimMappings']['username'],
    path: string,
    isRequired: boolean,
  ): Expression | undefined {
    if (claim !== '' && expression !== '') {
      this.#add(invalid(path, '', "claim and expression can't both be set"));
    } else if (expression !== '') {
      if (prefix !== undefined)
        this.#add(invalid(`${path}.prefix`, prefix, "prefix can't be set when expression is set"));
      return this.#compile(expression, `${path}.expression`, { variables: CLAIMS, result: 'any' });
    } else if (claim === '' && isRequired) {
      this.#add(required(path, 'claim or expression is required'));
    } else if (claim !== '' && prefix === undefined) {
      const detail =
        'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
      this.#add(required(`${path}.prefix`, detail));
    }
    return undefined;
  }

  #uid(): Expression | undefined {
    const { claim, expression } = this.#configuration.claimMappings.uid;
    const path = `${this.#path}.claimMappings.uid`;
    if (expression === '') return undefined;
    if (claim === '')
      return this.#compile(expression, `${path}.expression`, { variables: CLAIMS, result: 'any' });
    this.#add(invalid(path, '', "claim and expression can't both be set"));
    return undefined;
  }

  #extra(): { key: string; expression: Expression }[] {
    const keys = new Set<string>();
    return this.#configuration.claimMappings.extra.flatMap(({ key, valueExpression }, index) => {
      const path = `${this.#path}.claimMappings.extra[${index}]`;
      this.#add(...checkExtraKey(key, `${path}.key`, this.#parts.reservedDomains));
      if (!isNew(keys, key)) return this.#add(duplicate(`${path}.key`, key));
      if (valueExpression === '')
        return this.#add(required(`${path}.valueExpression`, 'valueExpression is required'));
      const expression = this.#compile(valueExpression, `${path}.valueExpression`, {
        variables: CLAIMS,
        result: 'any',
      });
      return expression === undefined ? [] : [{ key, expression }];
    });
  }

  #compile(
    text: string,
    path: string,
    contract: Parameters<ExpressionCompiler['compile']>[1],
  ): Expression | undefined {
    try {
      return this.#parts.compiler.compile(text, contract);
    } catch (error) {
      this.#add(invalid(path, text, (error as Error).message));
      return undefined;
    }
  }

  /** Notes what is wrong. @returns nothing, for what would have come of it. */
  #add(...errors: readonly FieldError[]): never[] {
    this.errors.push(...errors);
    return [];
  }
}

function isNew(seen: Set<string>, text: string): boolean {
  const known = seen.has(text);
  seen.add(text);
  return !known;
}
