import assert from 'node:assert/strict';
import { UsageError } from '../../../src/cli/ctl/errors.ts';
import { defineFlags } from '../../../src/cli/ctl/flags/flag.ts';
import { parseLine } from '../../../src/cli/ctl/flags/parse.ts';

const FLAGS = defineFlags({
  output: { type: 'text', short: 'o', help: '' },
  selector: { type: 'text', short: 'l', help: '' },
  watch: { type: 'switch', short: 'w', help: '' },
  'all-namespaces': { type: 'switch', short: 'A', help: '' },
  'dry-run': { type: 'text', bare: 'unchanged', default: 'none', help: '' },
  columns: { type: 'list', short: 'L', commas: true, help: '' },
  filename: { type: 'list', short: 'f', help: '' },
  timeout: { type: 'duration', help: '' },
  replicas: { type: 'number', help: '' },
  force: { type: 'switch', default: true, help: '' },
});

describe('a command line', () => {
  const cases: readonly [string, Record<string, unknown>, readonly string[]][] = [
    ['-o yaml', { output: 'yaml' }, []],
    ['-oyaml', { output: 'yaml' }, []],
    ['-o=yaml', { output: 'yaml' }, []],
    ['--output=yaml', { output: 'yaml' }, []],
    ['--output yaml', { output: 'yaml' }, []],
    ['-o jsonpath={.a=b}', { output: 'jsonpath={.a=b}' }, []],
    ['pods -l a=b x', { selector: 'a=b' }, ['pods', 'x']],
    ['-la=b', { selector: 'a=b' }, []],
    ['-Aw', { 'all-namespaces': true, watch: true }, []],
    ['-Aoname', { 'all-namespaces': true, output: 'name' }, []],
    ['--watch=false', { watch: false }, []],
    ['--force=false', { force: false }, []],
    ['--dry-run server', { 'dry-run': 'unchanged' }, ['server']],
    ['--dry-run=server', { 'dry-run': 'server' }, []],
    ['-L a,b -L c', { columns: ['a', 'b', 'c'] }, []],
    ['-f a,b -f c', { filename: ['a,b', 'c'] }, []],
    ['--timeout 1m30s', { timeout: 90_000 }, []],
    ['--timeout=-1s', { timeout: -1000 }, []],
    ['--replicas=3', { replicas: 3 }, []],
  ];
  for (const [line, flags, args] of cases) {
    it(`is read as kubectl reads it: ${line}`, () => {
      const parsed = parseLine(FLAGS, line.split(' '));
      for (const [name, value] of Object.entries(flags)) assert.deepEqual(parsed.flags[name], value, name);
      assert.deepEqual(parsed.args, args);
      assert.deepEqual([...parsed.given].sort(), Object.keys(flags).sort());
    });
  }

  it('has defaults for what it leaves out', () => {
    const { flags } = parseLine(FLAGS, []);
    assert.equal(flags['output'], undefined);
    assert.equal(flags['watch'], false);
    assert.equal(flags['dry-run'], 'none');
    assert.deepEqual(flags['columns'], []);
  });

  it('leaves what stands behind -- alone', () => {
    const { args, rest } = parseLine(FLAGS, ['run', 'x', '--', 'sh', '-c', 'ls']);
    assert.deepEqual(args, ['run', 'x']);
    assert.deepEqual(rest, ['sh', '-c', 'ls']);
  });

  const refused: readonly [string, RegExp][] = [
    ['--outpt=yaml', /unknown flag: --outpt \(is --output meant\?\)/],
    ['-x', /unknown shorthand flag: 'x' in -x/],
    ['--output', /flag needs an argument: --output/],
    ['-o', /flag needs an argument: 'o' in -o/],
    ['--watch=maybe', /invalid argument "maybe" for "--watch" flag/],
    ['--replicas=many', /invalid argument "many" for "--replicas" flag/],
    ['--timeout=soon', /invalid argument "soon" for "--timeout" flag/],
  ];
  for (const [line, message] of refused) {
    it(`is refused: ${line}`, () => {
      assert.throws(
        () => parseLine(FLAGS, line.split(' ')),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
  }
});
