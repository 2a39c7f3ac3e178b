import type { Environment } from '@marcbachmann/cel-js';
import { Budget, meter, nodesOf, type ExpressionNode } from './budget.ts';
import { declareAll, expressionChecker, type ExpressionChecker } from './checker.ts';
import { compilationFailed, evaluationFailed, ExpressionError, ResultTypeError } from './errors.ts';
import { addFunctions, usePatterns, type CompilePattern } from './functions.ts';
import type { VariableType } from './variable-type.ts';

/** What an expression may use, and must come to. */
export interface ExpressionContract {
  readonly variables: Readonly<Record<string, VariableType>>;
  /** `any` leaves it to whoever takes the result. */
  readonly result: 'bool' | 'any';
}

/** An expression of the Common Expression Language (https://cel.dev) that was read and whose types were checked. */
export interface Expression {
  readonly text: string;
  /**
   * @param values of the variables, as `expressionValue` makes them.
   * @returns text, boolean, bigint, number, null, array or Map.
   * @throws ExpressionError where it can't be evaluated, or not at the cost of {@link MAX_COST}.
   */
  evaluate(values: Readonly<Record<string, unknown>>): unknown;
  /** Whether it selects a field of this name (`a.field`, `a.?field`, `has(a.field)`), of a variable if one is given. */
  selects(field: string, variable?: string): boolean;
}

/** Steps of loops, characters and items of operands that one evaluation may take: about 50 ms. */
export const MAX_COST = 200_000;

const LIMITS = { maxAstNodes: 10_000, maxDepth: 100 };

/** Compiles expressions. Make one with {@link loadExpressions}. */
export interface ExpressionCompiler {
  /** @throws ExpressionError saying where the text is wrong, or what it comes to instead. */
  compile(text: string, contract: ExpressionContract): Expression;
}

/** The language, loaded. */
export interface LoadedExpressions extends ExpressionCompiler {
  /** Checks expressions without variables: {@link ExpressionChecker.with} adds them. */
  readonly checker: ExpressionChecker;
}

/** Loads the language: a server without expressions does without it. */
export async function loadExpressions(): Promise<LoadedExpressions> {
  const [{ Environment: Language }, { RE2JS }] = await Promise.all([
    import('@marcbachmann/cel-js'),
    import('re2js'),
  ]);
  const pattern: CompilePattern = (text) => RE2JS.compile(text);
  const base = new Language({ enableOptionalTypes: true, limits: LIMITS });
  addFunctions(base, pattern);
  const everything = base.clone();
  declareAll(everything);
  const environments = new Map<ExpressionContract['variables'], Environment>();
  return {
    checker: expressionChecker(everything, pattern),
    compile(text, { variables, result }) {
      const environment = environments.get(variables) ?? declare(base.clone(), variables);
      environments.set(variables, environment);
      const { run, type, root } = check(environment, text, pattern);
      if (result !== 'any' && type !== result) throw new ResultTypeError(result, type);
      return expression(text, root, run);
    },
  };
}

function declare(environment: Environment, variables: ExpressionContract['variables']): Environment {
  for (const [name, type] of Object.entries(variables)) {
    if (typeof type === 'string') environment.registerVariable(name, type);
    else environment.registerVariable({ name, schema: type });
  }
  return environment;
}

interface Checked {
  readonly run: (values: Readonly<Record<string, unknown>>) => unknown;
  readonly type: string;
  readonly root: ExpressionNode;
}

function check(environment: Environment, text: string, pattern: CompilePattern): Checked {
  try {
    const run = environment.parse(text);
    const { error, type } = run.check();
    if (error !== undefined || type === undefined) throw compilationFailed(text, error);
    const root = run.ast as unknown as ExpressionNode;
    usePatterns(root, pattern);
    return { run, type, root };
  } catch (error) {
    throw error instanceof ExpressionError ? error : compilationFailed(text, error);
  }
}

function expression(text: string, root: ExpressionNode, run: Checked['run']): Expression {
  const budget = new Budget(MAX_COST);
  meter(root, budget);
  return {
    text,
    evaluate(values) {
      budget.restart();
      try {
        const result = run(values);
        budget.check();
        return result;
      } catch (error) {
        throw evaluationFailed(text, error);
      }
    },
    selects: (field, variable) => [...nodesOf(root)].some((node) => isSelection(node, field, variable)),
  };
}

function isSelection({ op, args }: ExpressionNode, field: string, variable: string | undefined): boolean {
  if (op !== '.' && op !== '.?') return false;
  const [operand, selected] = args as [ExpressionNode, unknown];
  const name = isLiteral(selected) ? selected.args : selected;
  return name === field && (variable === undefined || (operand.op === 'id' && operand.args === variable));
}

function isLiteral(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && (value as ExpressionNode).op === 'value';
}
