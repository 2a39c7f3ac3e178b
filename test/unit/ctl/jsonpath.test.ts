import assert from 'node:assert/strict';
import { JsonPathPrinter } from '../../../src/cli/ctl/print/jsonpath-printer.ts';

const OBJECT = {
  kind: 'List',
  items: [
    {
      kind: 'None',
      metadata: { name: '127.0.0.1', labels: { 'a.b/c': 'x' } },
      status: { capacity: { cpu: '4' } },
    },
    { kind: 'None', metadata: { name: '127.0.0.2' }, status: { capacity: { cpu: '8' }, up: true, n: 3 } },
  ],
  users: [
    { name: 'myself', user: {} },
    { name: 'e2e', user: { username: 'admin', password: 'secret' } },
  ],
  nothing: null,
};

describe('-o jsonpath', () => {
  const cases: readonly [string, string][] = [
    ['plain text', 'plain text'],
    ['kind is {.kind}', 'kind is List'],
    ["kind is {['kind']}", 'kind is List'],
    ['{.items[*].metadata.name}', '127.0.0.1 127.0.0.2'],
    ["{.items[*]['metadata.name', 'status.capacity']}", '127.0.0.1 127.0.0.2 {"cpu":"4"} {"cpu":"8"}'],
    ['{.items[0].metadata.labels.a\\.b/c}', 'x'],
    ['{.items[-1:].metadata.name}', '127.0.0.2'],
    ['{.items[-1].metadata.name}', '127.0.0.2'],
    ['{.items[0:2:2].metadata.name}', '127.0.0.1'],
    ['{.users[?(@.name=="e2e")].user.password}', 'secret'],
    ['{.items[?(@.status.n>2)].metadata.name}', '127.0.0.2'],
    ['{.items[?(@.metadata.labels)].metadata.name}', '127.0.0.1'],
    ['{.items[?(@.status.up==true)].metadata.name}', '127.0.0.2'],
    ['{..name}', '127.0.0.1 127.0.0.2 myself e2e'],
    [
      '{range .items[*]}[{.metadata.name}, {.status.capacity}] {end}',
      '[127.0.0.1, {"cpu":"4"}] [127.0.0.2, {"cpu":"8"}] ',
    ],
    [
      '{range .items[*]}{.metadata.name}{"\\t"}{.status.capacity.cpu}{"\\n"}{end}',
      '127.0.0.1\t4\n127.0.0.2\t8\n',
    ],
    ['{range .users[*]}{range .user.*}{@}.{end};{end}', ';secret.admin.;'],
    ['{.nothing}', 'null'],
    ['{.missing}', ''],
    ['{.items[1].status.up} {.items[1].status.n}', 'true 3'],
    ['{$.kind}{@.kind}', 'ListList'],
  ];
  for (const [template, text] of cases) {
    it(`finds ${template}`, () => {
      assert.equal(new JsonPathPrinter(template, { asJson: false, allowMissing: true }).print(OBJECT), text);
    });
  }

  it('can be a JSON array', () => {
    const printer = new JsonPathPrinter('{.items[*].kind}', { asJson: true, allowMissing: true });
    assert.equal(printer.print(OBJECT), '[\n    "None",\n    "None"\n]\n');
  });

  const refused: readonly [string, RegExp][] = [
    ['{.a', /unclosed action/],
    ['{.a[}', /unterminated array/],
    ['{end}', /not in range/],
    ['{.items[x]}', /invalid array index x/],
    ['{.items[9]}', /array index out of bounds: index 9, length 2/],
    ['{.kind[0]}', /is not array or slice/],
    ['{foo}', /unrecognized identifier foo/],
    ['{....}', /invalid multiple recursive descent/],
    ['{.items[?(@.kind>3)]}', /incompatible types/],
    ['{.items[?(@.kind=="x"}', /unterminated filter|unclosed/],
  ];
  for (const [template, message] of refused) {
    it(`refuses ${template}`, () => {
      assert.throws(
        () => new JsonPathPrinter(template, { asJson: false, allowMissing: true }).print(OBJECT),
        message,
      );
    });
  }

  it('refuses missing fields where that is asked for', () => {
    const printer = new JsonPathPrinter('{.missing}', { asJson: false, allowMissing: false });
    assert.throws(() => printer.print(OBJECT), /missing is not found/);
  });
});
