import assert from 'node:assert/strict';
import { loadExpressions, type ExpressionCompiler } from '../../../../src/schema/expressions/compile.ts';
import { expressionValue } from '../../../../src/schema/expressions/values.ts';

const CLAIMS = { claims: 'map<string, dyn>' };
const USER = { user: { username: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' } };
const REQUEST = { request: { user: 'string', resourceAttributes: { verb: 'string', name: 'string' } } };

describe('expressions', () => {
  let compiler: ExpressionCompiler;
  before(async () => {
    compiler = await loadExpressions();
  });

  const claims = {
    ...{ sub: 'jane', email: 'jane@example.com', email_verified: true, n: 5, half: 0.5, nothing: null },
    ...{ groups: ['a', 'b'], nested: { team: 'x' } },
  };
  const evaluated: readonly (readonly [string, unknown])[] = [
    ['claims.sub', 'jane'],
    ["'oidc:' + claims.sub", 'oidc:jane'],
    ['claims.groups.map(g, "team-" + g)', ['team-a', 'team-b']],
    ["claims.?hd.orValue('none')", 'none'],
    ['has(claims.hd)', false],
    ['claims.nested.team', 'x'],
    ['claims.n > 4 && claims.half < 1.0', true],
    ['claims.nothing == null', true],
    ["claims.groups.exists(g, g == 'b')", true],
    ["claims.email.split('@')[1]", 'example.com'],
    ["claims.email.matches('^[a-z]+@example[.]com$')", true],
    ["'a.b.c'.replace('.', '-')", 'a-b-c'],
    ["'a.b.c'.replace('.', '-', 1)", 'a-b.c'],
    ["claims.email.find('[a-z]+$')", 'com'],
    ["claims.email.findAll('[a-z]+', 2)", ['jane', 'example']],
    ["'abc'.charAt(1)", 'b'],
    ["claims.email.lowerAscii().endsWith('.com') ? 'in' : 'out'", 'in'],
    ['has(claims.constructor) || has(claims.toString)', false],
  ];
  for (const [text, expected] of evaluated) {
    it(`evaluates ${text}`, () => {
      const expression = compiler.compile(text, { variables: CLAIMS, result: 'any' });
      assert.deepEqual(expression.evaluate({ claims: expressionValue(claims) }), expected);
    });
  }

  it('knows the fields of an object, and which of them are absent', () => {
    const text = "has(request.resourceAttributes) && request.resourceAttributes.verb == 'get'";
    const expression = compiler.compile(text, { variables: REQUEST, result: 'bool' });
    const of = (request: unknown) => expression.evaluate({ request: expressionValue(request) });
    assert.equal(of({ user: 'jane', resourceAttributes: { verb: 'get' } }), true);
    assert.equal(of({ user: 'jane' }), false);
  });

  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /^compilation failed: ERROR: <input>:1:1: Syntax error: /],
    [
      'user.username +',
      /^compilation failed: ERROR: <input>:1:16: Syntax error: .*\n \| user\.username \+\n \| \.{15}\^$/,
    ],
    ['nobody == "x"', /ERROR: <input>:1:1: undeclared reference to 'nobody' \(in container ''\)/],
    ['user.nme == "x"', /undefined field 'nme'/],
    ['user.username + 1 == "x"', /no such overload: string \+ int/],
    ['user.username', /^must evaluate to bool$/],
    ['user.username.matches("(")', /^compilation failed: .*missing closing \)/],
    [`${'('.repeat(500)}true${')'.repeat(500)}`, /^compilation failed: .*depth/i],
  ];
  for (const [text, message] of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.throws(() => compiler.compile(text, { variables: USER, result: 'bool' }), { message });
    });
  }

  it('names the missing key, not what is there', () => {
    const expression = compiler.compile('claims.hd == "x"', { variables: CLAIMS, result: 'bool' });
    assert.throws(() => expression.evaluate({ claims: expressionValue({ token: 'secret' }) }), {
      message: `expression 'claims.hd == "x"' resulted in error: no such key: hd`,
    });
  });

  const list = Array.from({ length: 3000 }, (_, index) => `group-${index}`);
  const doubled = Array.from({ length: 40 }, () => '.map(x, x + x)').join('');
  const expensive: readonly string[] = [
    'claims.l.all(a, claims.l.all(b, claims.l.all(c, a + b != c)))',
    'claims.l.map(a, claims.l.filter(b, b == a)).size() == 0',
    'claims.l.exists(a, claims.l.exists(b, claims.l.exists(c, c == "none"))) || true',
    'claims.l.all(a, a in claims.l)',
    `[claims.l]${doubled}.size() == 1`,
    `["text"]${doubled}.size() == 1`,
    'claims.l.all(a, claims.text.matches("(a*)*b") || true)',
  ];
  for (const text of expensive) {
    it(`ends ${text.slice(0, 60)} when it has cost enough`, () => {
      const expression = compiler.compile(text, { variables: CLAIMS, result: 'bool' });
      const values = { claims: expressionValue({ l: list, text: 'a'.repeat(2000) }) };
      const started = performance.now();
      for (let time = 0; time < 2; time++) {
        assert.throws(() => expression.evaluate(values), /cost limit exceeded/);
      }
      assert.ok(performance.now() - started < 2000);
    });
  }

  it('tells which fields are read', () => {
    const select = (text: string) => compiler.compile(text, { variables: CLAIMS, result: 'any' });
    assert.ok(select("claims.email + 'x'").selects('email', 'claims'));
    assert.ok(select('has(claims.email) ? 1 : 2').selects('email', 'claims'));
    assert.ok(select('claims.?email.orValue("")').selects('email', 'claims'));
    assert.ok(select('claims.groups.all(g, g == claims.email)').selects('email', 'claims'));
    assert.ok(!select('claims.nested.email').selects('email', 'claims'));
    assert.ok(select('claims.nested.email').selects('email'));
    assert.ok(!select("'email' in claims").selects('email'));
  });
});
