import assert from 'node:assert/strict';
import type { ExpressionChecker } from '../../../../src/schema/expressions/checker.ts';
import { loadExpressions } from '../../../../src/schema/expressions/compile.ts';
import { ExpressionError } from '../../../../src/schema/expressions/errors.ts';

describe('the checker of expressions', () => {
  let checker: ExpressionChecker;
  before(async () => {
    checker = (await loadExpressions()).checker
      .with('object', 'dyn')
      .with('device', { driver: 'string', capacity: 'map<string, map<string, kubernetes.Quantity>>' })
      .with('authorizer', 'kubernetes.authorization.Authorizer');
  });

  const typed: readonly (readonly [text: string, type: string])[] = [
    ['object.spec.replicas', 'dyn'],
    ['device.driver == "x"', 'bool'],
    ['device.capacity["a"].b', 'kubernetes.Quantity'],
    ['device.capacity["a"].b.compareTo(quantity("1Gi")) > 0', 'bool'],
    ['authorizer.group("").resource("pods").check("get").reason()', 'string'],
    ['authorizer.requestResource', 'kubernetes.authorization.ResourceCheck'],
    ['"%s: %d".format([object.a, 1])', 'string'],
    ['cidr("10.0.0.0/8").containsIP(ip("10.0.0.1"))', 'bool'],
    ['[2, 1].max()', 'int'],
    ['sets.contains(object.list, ["a"])', 'bool'],
  ];
  for (const [text, type] of typed)
    it(`knows that ${text} is ${type}`, () => assert.equal(checker.typeOf(text), type));

  const wrong: readonly (readonly [text: string, why: RegExp])[] = [
    ['object.', /Syntax error/],
    ['params.x', /undeclared reference to 'params'/],
    ['device.nope', /undefined field 'nope'/],
    ['quantity(1)', /no matching overload/],
    ['sets.contains([1], ["a"])', /no matching overload/],
    ['"a".matches("[")', /regexp/],
  ];
  for (const [text, why] of wrong)
    it(`refuses ${text}`, () =>
      assert.throws(
        () => checker.typeOf(text),
        (error) => error instanceof ExpressionError && why.test(error.message),
      ));

  it('takes variables that others do not have', () => {
    const more = checker.with('variables', { a: 'int' });
    assert.equal(more.typeOf('variables.a + 1'), 'int');
    assert.throws(() => checker.typeOf('variables.a'), ExpressionError);
  });
});
