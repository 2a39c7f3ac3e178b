import type { Environment } from '@marcbachmann/cel-js';
import { nodesOf, type ExpressionNode } from './budget.ts';
import { DECLARED_FUNCTIONS, DECLARED_TYPES, FUNCTION_SPACES } from './declarations.ts';
import { compilationFailed } from './errors.ts';
import { usePatterns, type CompilePattern } from './functions.ts';
import type { VariableType } from './variable-type.ts';

/** Says what expressions come to, which others evaluate. */
export interface ExpressionChecker {
  /** The type of what an expression comes to, e.g. `bool`. @throws ExpressionError saying where the text is wrong. */
  typeOf(text: string): string;
  /** The same, with another variable. */
  with(name: string, type: VariableType): ExpressionChecker;
}

/** Declares, beside what can be evaluated, everything that expressions of the reference may use. */
export function declareAll(environment: Environment): void {
  for (const [name, fields] of Object.entries(DECLARED_TYPES))
    environment.registerType(name, Object.keys(fields).length > 0 ? { fields } : class {});
  for (const name of FUNCTION_SPACES) {
    environment.registerType(`spaces.${name}`, class {});
    environment.registerVariable(name, `spaces.${name}`);
  }
  for (const signature of DECLARED_FUNCTIONS) declare(environment, signature);
}

/** Some of them the library has, or has of a narrower type. */
function declare(environment: Environment, signature: string): void {
  try {
    environment.registerFunction(signature, notEvaluated);
  } catch (error) {
    if (!/overlaps|already/i.test((error as Error).message)) throw error;
  }
}

function notEvaluated(): never {
  throw new Error('the function is not evaluated here');
}

/** @param environment with the variables that there are; not changed. */
export function expressionChecker(environment: Environment, pattern: CompilePattern): ExpressionChecker {
  return {
    typeOf(text) {
      const { error, type } = parse(text, environment, pattern).check();
      if (error !== undefined || type === undefined) throw compilationFailed(text, error);
      return type;
    },
    with: (name, type) => expressionChecker(declareVariable(environment.clone(), name, type), pattern),
  };
}

/** @throws ExpressionError */
function parse(
  text: string,
  environment: Environment,
  pattern: CompilePattern,
): ReturnType<Environment['parse']> {
  try {
    const run = environment.parse(text);
    const root = run.ast as unknown as ExpressionNode;
    usePatterns(root, pattern);
    if (!isFormatting(root)) return run;
    return environment.clone({ homogeneousAggregateLiterals: false }).parse(text);
  } catch (error) {
    throw compilationFailed(text, error);
  }
}

/** Whether it calls `format`, whose arguments are a list of several types, which there is nowhere else. */
function isFormatting(root: ExpressionNode): boolean {
  return [...nodesOf(root)].some(({ op, args }) => op === 'rcall' && (args as unknown[])[0] === 'format');
}

/** Declares a variable. Fields of a struct may have any type that is known. */
function declareVariable(environment: Environment, name: string, type: VariableType): Environment {
  return environment.registerVariable(name, typeName(environment, `variable.${name}`, type));
}

/** The name of a type; a struct gets the one that is given, and so do the structs in it. */
function typeName(environment: Environment, name: string, type: VariableType): string {
  if (typeof type === 'string') return type;
  const fields = Object.entries(type).map(([field, inner]) => [
    field,
    typeName(environment, `${name}.${field}`, inner),
  ]);
  environment.registerType(name, { fields: Object.fromEntries(fields) as Record<string, string> });
  return name;
}
