import { duplicate, invalid, required, tooMany, type FieldError } from '../../errors/field-error.ts';
import { objectAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { Expression, ExpressionCompiler } from '../../schema/expressions/compile.ts';
import { expressionValue } from '../../schema/expressions/values.ts';

/** Which requests a webhook is asked about: those for which every expression is true. */
export interface MatchConditions {
  /** @throws ExpressionError where one can't be evaluated, and none is false. */
  match(spec: JsonObject): boolean;
}

/** What the conditions of an authorizer are told to. */
export interface ConditionsObserver {
  evaluated(seconds: number): void;
  failed(): void;
  excluded(): void;
}

const MOST = 64;

const SELECTOR = { rawSelector: 'string', requirements: 'list<dyn>' } as const;
const NAMES = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'] as const;

/** A SubjectAccessReview's `spec`, of version v1. */
const REQUEST = {
  request: {
    ...{ user: 'string', uid: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' },
    resourceAttributes: {
      ...{ namespace: 'string', verb: 'string', group: 'string', version: 'string' },
      ...{ resource: 'string', subresource: 'string', name: 'string' },
      ...{ fieldSelector: SELECTOR, labelSelector: SELECTOR },
    },
    nonResourceAttributes: { path: 'string', verb: 'string' },
  },
} as const;

/** Compiles expressions. @returns them, and everything that is wrong with them. */
export function compileConditions(
  texts: readonly string[],
  path: string,
  compiler: ExpressionCompiler,
): { readonly expressions: readonly Expression[]; readonly errors: readonly FieldError[] } {
  if (texts.length > MOST) return { expressions: [], errors: [tooMany(path, texts.length, MOST)] };
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const expressions = texts.flatMap((text, index) => {
    const field = `${path}[${index}].expression`;
    if (text.trim() === '') errors.push(required(field));
    else if (seen.has(text)) errors.push(duplicate(field, text));
    else {
      seen.add(text);
      try {
        return [compiler.compile(text, { variables: REQUEST, result: 'bool' })];
      } catch (error) {
        errors.push(invalid(field, text, (error as Error).message));
      }
    }
    return [];
  });
  return { expressions, errors };
}

/** Puts conditions together. @param now milliseconds on a clock that never goes back. */
export function matchConditions(
  expressions: readonly Expression[],
  observer: ConditionsObserver,
  now: () => number,
): MatchConditions {
  return {
    match(spec) {
      const since = now();
      try {
        const matches = evaluate(expressions, { request: expressionValue(requestOf(spec)) });
        if (!matches) observer.excluded();
        return matches;
      } catch (error) {
        observer.failed();
        throw error;
      } finally {
        observer.evaluated((now() - since) / 1000);
      }
    },
  };
}

/** One that is false counts, whatever becomes of the others. */
function evaluate(expressions: readonly Expression[], values: Readonly<Record<string, unknown>>): boolean {
  let failure: unknown;
  for (const expression of expressions) {
    try {
      if (expression.evaluate(values) !== true) return false;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure as Error;
  return true;
}

/** Expressions see every text, the empty ones too. */
function requestOf(spec: JsonObject): JsonObject {
  const resource = objectAt(spec, 'resourceAttributes');
  const path = objectAt(spec, 'nonResourceAttributes');
  const texts = Object.fromEntries(NAMES.map((name) => [name, '']));
  return {
    ...{ user: '', uid: '', groups: [], extra: {} },
    ...spec,
    ...(resource === undefined ? {} : { resourceAttributes: { ...texts, ...resource } }),
    ...(path === undefined ? {} : { nonResourceAttributes: { path: '', verb: '', ...path } }),
  };
}
