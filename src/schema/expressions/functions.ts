import type { Environment } from '@marcbachmann/cel-js';
import type { RE2JS } from 're2js';
import { nodesOf, replaceCall, type ExpressionNode } from './budget.ts';

/** What compiles a regular expression in time linear to what it is matched with. @throws Error with a bad pattern. */
export type CompilePattern = (pattern: string) => RE2JS;

/** Longest text that one call may make: what it makes is paid for only where it is used. */
const MAX_TEXT = 1_000_000;

/** Adds the functions of the reference's environment that the library lacks: of strings, lists, sets and patterns. */
export function addFunctions(environment: Environment, compile: CompilePattern): void {
  const sync = { async: false };
  const add = (signature: string, handler: (...values: never[]) => unknown): void =>
    void environment.registerFunction(signature, handler, sync);
  add('string.charAt(int): string', charAt);
  add('string.replace(string, string): string', (text: string, from: string, to: string) =>
    replace(text, [from, to], Infinity),
  );
  add(
    'string.replace(string, string, int): string',
    (text: string, from: string, to: string, limit: bigint) =>
      replace(text, [from, to], limit < 0n ? Infinity : Number(limit)),
  );
  add(
    'string.find(string): string',
    (text: string, pattern: string) => findAll(compile(pattern), text, 1)[0] ?? '',
  );
  add('string.findAll(string): list<string>', (text: string, pattern: string) =>
    findAll(compile(pattern), text, Infinity),
  );
  add('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
    findAll(compile(pattern), text, limit < 0n ? Infinity : Number(limit)),
  );
  add('list<string>.indexOf(string): int', (list: string[], one: string) => BigInt(list.indexOf(one)));
  add('list<string>.lastIndexOf(string): int', (list: string[], one: string) =>
    BigInt(list.lastIndexOf(one)),
  );
}

/**
 * Lets `matches` use patterns whose matching takes linear time; those that stand in the text are compiled at once.
 *
 * @throws Error with a bad pattern in the text.
 */
export function usePatterns(root: ExpressionNode, compile: CompilePattern): void {
  for (const node of nodesOf(root)) {
    const operands = matchOperands(node);
    if (operands === undefined) continue;
    const [text, pattern] = operands;
    const known =
      typeof pattern.args === 'string' && pattern.op === 'value' ? compile(pattern.args) : undefined;
    replaceCall(node, (run) => {
      const subject = run(text);
      const given = known ?? run(pattern);
      if (typeof subject !== 'string') throw new Error('no such overload');
      if (typeof given !== 'string') return (given as RE2JS).matcher(subject).find();
      return compile(given).matcher(subject).find();
    });
  }
}

/** The text and the pattern of a call of `matches`. */
function matchOperands({ op, args }: ExpressionNode): readonly [ExpressionNode, ExpressionNode] | undefined {
  if (op !== 'rcall') return undefined;
  const [name, receiver, given] = args as [string, ExpressionNode, readonly ExpressionNode[]];
  return name === 'matches' && given[0] !== undefined ? [receiver, given[0]] : undefined;
}

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0n || index > characters.length) throw new Error(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

function replace(text: string, [from, to]: readonly [string, string], limit: number): string {
  const parts = text.split(from);
  const count = Math.min(parts.length - 1, limit);
  if (text.length + count * to.length > MAX_TEXT) throw new Error('the text becomes too long');
  if (count === parts.length - 1) return parts.join(to);
  return [...parts.slice(0, count), parts.slice(count).join(from)].join(to);
}

function findAll(pattern: RE2JS, text: string, limit: number): string[] {
  const found: string[] = [];
  const matcher = pattern.matcher(text);
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}
