/** A node of a parsed expression, as the library keeps it. */
export interface ExpressionNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  evaluate: Evaluate;
  /** Present on what the library made of a macro. */
  readonly meta: { readonly alternate?: ExpressionNode; readonly macro?: object };
}

type Evaluate = (evaluator: Evaluator, node: ExpressionNode, context: unknown) => unknown;

interface Evaluator {
  run(node: ExpressionNode, context: unknown): unknown;
}

/** Evaluates a call in place of the library. */
export type Replacement = (run: (operand: ExpressionNode) => unknown) => unknown;

/** What one evaluation may still cost. */
export class Budget {
  readonly #limit: number;
  #left = 0;
  /** One for all: a loop whose body throws goes on to its end, and must not be slowed by that. */
  readonly #error = new Error('operation cancelled: actual cost limit exceeded');

  /** @param limit steps of loops, and characters and items of operands, that an evaluation may take. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  restart(): void {
    this.#left = this.#limit;
  }

  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw this.#error;
  }

  /** @throws Error where more was spent than there was, though a loop or an `||` may have swallowed that. */
  check(): void {
    if (this.#left < 0) throw this.#error;
  }
}

/** Operators whose operands are read, or copied, as a whole. */
const READERS = new Set(['+', 'in', '==', '!=', '<', '<=', '>', '>=', 'call', 'rcall']);

/**
 * Makes a checked expression spend of a budget: each step of a loop, and each operand by its size. Expressions have no
 * other way to be long: what an operator makes is no longer than its operands together, and it is the next one's operand.
 */
export function meter(root: ExpressionNode, budget: Budget): void {
  const steps = new Set<ExpressionNode>();
  const operands = new Set<ExpressionNode>();
  for (const node of nodesOf(root)) {
    if (node.op === 'comprehension') steps.add((node.args as { step: ExpressionNode }).step);
    if (READERS.has(node.op)) for (const operand of children(node)) operands.add(operand);
  }
  for (const node of new Set([...steps, ...operands])) {
    wrap(node, (value) => {
      if (steps.has(node)) budget.spend(1);
      const result = value();
      if (operands.has(node)) budget.spend(sizeOf(result));
      return result;
    });
  }
}

/** Evaluates a call by something else than what the library has for it. */
export function replaceCall(call: ExpressionNode, by: Replacement): void {
  call.evaluate = (evaluator, _node, context) => by((operand) => evaluator.run(operand, context));
}

/** All nodes of an expression, with those that macros stand for. */
export function nodesOf(root: ExpressionNode): ReadonlySet<ExpressionNode> {
  const found = new Set<ExpressionNode>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    const { alternate, macro } = node.meta;
    open.push(...children(node), ...(alternate === undefined ? [] : [alternate]));
    if (macro !== undefined) open.push(...nodesIn(Object.values(macro)));
  }
  return found;
}

function children({ op, args }: ExpressionNode): ExpressionNode[] {
  if (op !== 'comprehension') return nodesIn(args);
  const { iterable, init, step } = args as Record<string, unknown>;
  return nodesIn([iterable, init, step]);
}

function nodesIn(value: unknown): ExpressionNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isNode(value) ? [value] : [];
}

function isNode(value: unknown): value is ExpressionNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'meta' in value;
}

/** The library puts a node's way to be evaluated in its place when it is first asked: both are kept. */
function wrap(node: ExpressionNode, around: (value: () => unknown) => unknown): void {
  let inner = node.evaluate;
  const outer: Evaluate = (evaluator, own, context) =>
    around(() => inner.call(node, evaluator, own, context));
  Object.defineProperty(node, 'evaluate', {
    get: () => outer,
    set: (next: Evaluate) => void (inner = next),
    configurable: true,
  });
}

/** Characters count a tenth: copying them is that much cheaper than a step. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 10;
  if (Array.isArray(value)) return 1 + value.length;
  return 1;
}
