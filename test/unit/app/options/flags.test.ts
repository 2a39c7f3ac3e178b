import assert from 'node:assert/strict';
import { checkRows, warnings } from '../../../../src/app/options/check-rows.ts';
import type { FlagRow, FlagTable } from '../../../../src/app/options/flag-table.ts';
import type { FlagValues } from '../../../../src/app/options/flag-values.ts';
import { parseFlags } from '../../../../src/app/options/parse-flags.ts';

const row = (columns: Partial<FlagRow> & Pick<FlagRow, 'type'>): FlagRow => ({
  usage: 'Something.',
  ...columns,
});

const table: FlagTable = {
  later: { soon: 'what comes soon' },
  sections: {
    some: {
      on: row({ type: 'bool' }),
      'some-name': row({ type: 'string', default: 'a' }),
      level: row({ type: 'Level', short: 'l' }),
      share: row({ type: 'float', min: 0, max: 0.02 }),
      wait: row({ type: 'duration', default: '1m0s', min: 1000 }),
      address: row({ type: 'ip' }),
      ports: row({ type: 'portRange' }),
      items: row({ type: 'strings', default: '[x,y]' }),
      each: row({ type: 'stringArray' }),
      pairs: row({ type: 'mapStringString' }),
      strict: row({ type: 'stringToString', default: '[]' }),
      certs: row({ type: 'namedCertKey', default: '[]' }),
      version: row({ type: 'version' }),
    },
    bound: {
      mode: row({ type: 'strings', values: ['A', 'B'], unique: true }),
      url: row({ type: 'string', pattern: 'https://.+', requires: ['id'] }),
      id: row({ type: 'string', requires: ['url'] }),
      file: row({ type: 'string', excludes: ['web-*'] }),
      'web-a': row({ type: 'string', later: 'soon' }),
      old: row({ type: 'string', deprecated: 'use --id' }),
      idle: row({ type: 'string', unused: 'nothing is idle' }),
      kind: row({ type: 'string', laterValues: { big: 'soon' } }),
    },
  },
};

function parse(...argv: string[]): FlagValues {
  const { values, problems } = parseFlags(table, argv);
  assert.deepEqual(problems, []);
  return values;
}

describe('flags are read', () => {
  for (const [name, argv, read, expected] of [
    ['a bare flag is true', ['--on'], (v) => v.boolean('on'), true],
    ['a bare flag takes no value that follows', ['--on', '--level', '3'], (v) => v.number('level'), 3],
    ['a flag can be turned off', ['--on=false'], (v) => v.boolean('on'), false],
    ['a value follows', ['--some-name', 'b'], (v) => v.text('some-name'), 'b'],
    ['a value may begin with hyphens', ['--some-name', '--x'], (v) => v.text('some-name'), '--x'],
    ['a value is inline', ['--some-name=b=c'], (v) => v.text('some-name'), 'b=c'],
    ['an empty value', ['--some-name='], (v) => v.text('some-name'), ''],
    ['the last of several counts', ['--some-name=b', '--some-name=c'], (v) => v.text('some-name'), 'c'],
    ['underscores are hyphens', ['--some_name=b_c'], (v) => v.text('some-name'), 'b_c'],
    ['a default', [], (v) => v.text('some-name'), 'a'],
    ['a short flag', ['-l', '4'], (v) => v.number('level'), 4],
    ['a short flag with its value', ['-l4'], (v) => v.number('level'), 4],
    ['a short flag with an equals sign', ['-l=4'], (v) => v.number('level'), 4],
    ['a duration in milliseconds', ['--wait=1h2m'], (v) => v.number('wait'), 3_720_000],
    ['a default duration', [], (v) => v.number('wait'), 60_000],
    ['a list', ['--items=a,b', '--items', '"c,d"'], (v) => v.list('items'), ['a', 'b', 'c,d']],
    ['an empty list', ['--items='], (v) => v.list('items'), []],
    ['a default list', [], (v) => v.list('items'), ['x', 'y']],
    ['an array', ['--each=a,b', '--each=c'], (v) => v.list('each'), ['a,b', 'c']],
    [
      'a map',
      ['--pairs=a=1,b', '--pairs=a=2'],
      (v) => [...v.map('pairs')],
      [
        ['a', '2'],
        ['b', ''],
      ],
    ],
    ['an empty default map', [], (v) => v.map('strict').size, 0],
    ['an empty default list', [], (v) => v.list('certs'), []],
    ['a certificate', ['--certs=a,b:x,y'], (v) => v.list('certs'), ['a,b:x,y']],
    ['version without value', ['--version'], (v) => v.text('version'), 'true'],
    ['version with value', ['--version=raw'], (v) => v.text('version'), 'raw'],
    ['an IPv6 address', ['--address=::'], (v) => v.text('address'), '::'],
    ['a range of ports', ['--ports=80+10'], (v) => v.text('ports'), '80+10'],
  ] as readonly (readonly [string, string[], (values: FlagValues) => unknown, unknown])[]) {
    it(name, () => assert.deepEqual(read(parse(...argv)), expected));
  }

  it('from the environment where the command line says nothing', () => {
    const env = { ORCH_SOME_NAME: 'env', ORCH_LEVEL: '7', ORCH_VERSION: '1.2', ORCH_PORT: 'tcp://x' };
    const { values, problems } = parseFlags(table, ['--level=2'], env);
    assert.deepEqual(problems, []);
    assert.equal(values.text('some-name'), 'env');
    assert.equal(values.number('level'), 2);
    assert.equal(values.text('version'), 'false');
  });
});

describe('flags that are wrong are told all at once', () => {
  for (const [argv, ...expected] of [
    [['--som-name=1'], 'unknown flag: --som-name (is --some-name meant?)'],
    [['--nothing-like-it', 'value'], 'unknown flag: --nothing-like-it'],
    [['-x'], 'unknown flag: -x'],
    [['--__proto__=1'], 'unknown flag: --__proto__'],
    [['a', '--on', 'b'], /no arguments besides flags: "a"/, /no arguments besides flags: "b"/],
    [['--level'], 'flag needs a value: --level'],
    [
      ['--level=x', '--on=maybe'],
      /"x" for --level: no whole number/,
      /"maybe" for --on: neither true nor false/,
    ],
    [['--level=9007199254740993'], /no whole number/],
    [['--share='], /no number/],
    [['--wait=5'], /no duration/],
    [['--address=1.2.3'], /no IP address/],
    [['--ports=90-80'], /no range of ports/],
    [['--ports=1-70000'], /no range of ports/],
    [['--items="a'], /a double quote is not closed/],
    [['--strict=a'], /"a" is not key=value/],
    [['--certs=a'], /not certfile,keyfile/],
  ] as readonly (readonly [string[], ...(string | RegExp)[]])[]) {
    it(argv.join(' '), () => {
      const { problems } = parseFlags(table, argv);
      assert.equal(problems.length, expected.length, problems.join('\n'));
      expected.forEach((wanted, i) =>
        typeof wanted === 'string'
          ? assert.equal(problems[i], wanted)
          : assert.match(problems[i] ?? '', wanted),
      );
    });
  }

  it('in the environment too', () => {
    const { problems } = parseFlags(table, [], { ORCH_LEVEL: 'x' });
    assert.deepEqual(problems, ['invalid value "x" for ORCH_LEVEL: no whole number']);
  });
});

describe('the table forbids', () => {
  for (const [argv, ...problems] of [
    [['--share=0.5'], '--share must be at most 0.02, not 0.5'],
    [['--wait=10ms'], '--wait must be at least 1000ms, not 10ms'],
    [['--mode=A,C'], '--mode can\'t be "C", but A, B'],
    [['--mode=A,A'], '--mode holds A twice'],
    [['--url=http://x'], '--url can\'t be "http://x": it must match https://.+', '--url needs --id'],
    [['--file=a', '--web-a=b'], "--file can't be given with --web-a"],
    [['--url=https://x', '--id=1']],
  ] as readonly (readonly [string[], ...string[]])[]) {
    it(argv.join(' '), () => assert.deepEqual(checkRows(parse(...argv)), problems));
  }
});

describe('flags that do less than they say', () => {
  for (const [flag, warning] of [
    ['--web-a=1', '--web-a has no effect yet: it comes with what comes soon'],
    ['--old=1', '--old is deprecated: use --id'],
    ['--idle=1', '--idle has no effect: nothing is idle'],
    ['--kind=big', '--kind=big has no effect yet: it comes with what comes soon'],
  ] as const) {
    it(`${flag} warns`, () => assert.deepEqual(warnings(table, parse(flag)), [warning]));
  }

  it('others do not', () => assert.deepEqual(warnings(table, parse('--kind=small', '--on')), []));
});
