import assert from 'node:assert/strict';
import { runLine } from '../../support/run-line.ts';

describe('orchctl', () => {
  it('lists its commands', async () => {
    for (const line of [[], ['--help'], ['-h']]) {
      const { stdout, code } = await runLine(line);
      assert.match(stdout, /^ {2}get +Show objects/m);
      assert.match(stdout, /^Usage:\n {2}orchctl \[command\] \[flags\]$/m);
      assert.equal(code, 0);
    }
  });

  it('tells how a command and a group are used', async () => {
    const { stdout } = await runLine(['get', '--help']);
    assert.match(stdout, /^Examples:\n {2}# All pods/m);
    assert.match(stdout, /^ {4}-o, --output='':\n {8}Form of the output/m);
    assert.match(stdout, /^Usage:\n {2}orchctl get \(TYPE/m);
    assert.match(
      (await runLine(['config', '-h'])).stdout,
      /^ {2}use-context +Make a context the current one$/m,
    );
    assert.match((await runLine(['options'])).stdout, /^ {4}-n, --namespace='':$/m);
  });

  it('takes flags of all commands before the command', async () => {
    const { requests } = await runLine(['-n', 'shop', '--request-timeout=5s', 'get', 'pods']);
    assert.equal(requests.at(-1)?.path, '/api/v1/namespaces/shop/pods?limit=500');
  });

  it('shows warnings of the server once, and can take them for mistakes', async () => {
    const line = ['get', '--raw', '/warned', '--warnings-as-errors'];
    const { stderr, code, stdout } = await runLine(line, {
      answers: { '/warned': 'x' },
      warning: 'old "thing"',
    });
    assert.equal(stderr, 'Warning: old "thing"\nerror: 1 warning received\n');
    assert.deepEqual([stdout, code], ['x', 1]);
  });

  const refused: readonly [string, RegExp][] = [
    [
      'gte pods',
      /^error: unknown command "gte" for "orchctl"( \(is get meant\?\))?\nSee 'orchctl --help' for usage\.\n$/,
    ],
    ['config veiw', /^error: unknown command "veiw" for "orchctl config"/],
    ['get pods --outpt=x', /^error: unknown flag: --outpt \(is --output meant\?\)\nSee 'orchctl get --help'/],
    [
      'get pods --naming=other',
      /invalid argument "other" for "--naming" flag: it is one of orch, kubernetes/,
    ],
  ];
  for (const [line, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { code, stderr } = await runLine(line.split(' '));
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }

  const told: readonly [string, object, string][] = [
    ['a refusal', { reason: 'Forbidden', code: 403, message: 'no' }, 'Error from server (Forbidden): no\n'],
    [
      'a stranger',
      { reason: 'Unauthorized', code: 401, message: 'Unauthorized' },
      'error: You must be logged in to the server (Unauthorized)\n',
    ],
    [
      'one mistake',
      {
        reason: 'Invalid',
        code: 422,
        details: { kind: 'Pod', name: 'x', causes: [{ field: 'a.b', message: 'bad' }] },
      },
      'The Pod "x" is invalid: a.b: bad\n',
    ],
    [
      'several mistakes, each once',
      {
        reason: 'Invalid',
        code: 422,
        details: {
          kind: 'Pod',
          name: 'x',
          causes: [
            { field: 'a', message: 'bad' },
            { field: 'b', message: 'worse' },
            { field: 'a', message: 'bad' },
          ],
        },
      },
      'The Pod "x" is invalid: \n* a: bad\n* b: worse\n',
    ],
  ];
  for (const [what, status, text] of told) {
    it(`tells of ${what} as kubectl does`, async () => {
      const json = { kind: 'Status', ...status };
      const { stderr, code } = await runLine(['get', '--raw', '/x'], {
        answers: { '/x': { status: (status as { code: number }).code, json } },
      });
      assert.deepEqual([stderr, code], [text, 1]);
    });
  }

  it('tells of a server that is away', async () => {
    const refusal = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      address: '127.0.0.1',
      port: 1,
    });
    const { stderr, code } = await runLine(['get', 'pods'], { failure: refusal });
    assert.equal(
      stderr,
      'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?\n',
    );
    assert.equal(code, 1);
  });
});
