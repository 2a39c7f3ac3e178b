import assert from 'node:assert/strict';
import { jsonSink } from '../../../src/telemetry/log/json.ts';
import { LineWriter } from '../../../src/telemetry/log/line-writer.ts';
import { createLog, type Entry, type Log } from '../../../src/telemetry/log/log.ts';
import { redact } from '../../../src/telemetry/log/redact.ts';
import { textSink } from '../../../src/telemetry/log/text.ts';

const AT = Date.UTC(2026, 10, 21, 9, 30, 0, 123);

function collect(verbosity: number, modules: string[] = []): { log: Log; entries: Entry[] } {
  const entries: Entry[] = [];
  return { log: createLog({ sink: (entry) => entries.push(entry), verbosity, modules }), entries };
}

describe('logs', () => {
  it('tell what is verbose only where it is wanted, and make it only then', () => {
    const { log, entries } = collect(2);
    log.v(2, () => ['usual']);
    log.v(3, () => assert.fail('made in vain'));
    log.info('always');
    assert.deepEqual(
      entries.map(({ message, v }) => [message, v]),
      [
        ['usual', 2],
        ['always', 0],
      ],
    );
    assert.equal(log.enabled(2), true);
    assert.equal(log.enabled(3), false);
  });

  for (const [part, level] of [
    ['store', 5],
    ['watch-cache', 7],
    ['http', 1],
  ] as const) {
    it(`take the verbosity of ${part} from --vmodule`, () => {
      const log = collect(1, ['store=5', 'watch*=7']).log.part(part);
      assert.equal(log.enabled(level), true);
      assert.equal(log.enabled(level + 1), false);
    });
  }

  it('are lines of text as klog writes them', () => {
    const lines: string[] = [];
    const log = createLog({
      sink: textSink({ write: (line) => lines.push(line), now: () => AT, pid: 4711 }),
      verbosity: 0,
    });
    log.info('Serving "it"', { port: 6443, host: 'a b', none: undefined });
    log.part('store').error('Failed', new Error('outer', { cause: new Error('inner') }));
    assert.deepEqual(lines, [
      'I1121 09:30:00.123000    4711 orchd] "Serving \\"it\\"" port=6443 host="a b" none=<undefined>\n',
      'E1121 09:30:00.123000    4711 store] "Failed" err="outer: inner"\n',
    ]);
  });

  it('are lines of JSON with known fields', async () => {
    const lines: string[] = [];
    const sink = await jsonSink({ write: (line) => void lines.push(line) }, () => AT);
    const log = createLog({ sink, verbosity: 4 });
    log.part('store').v(4, () => ['Got it', { key: '/a', revision: 5n }]);
    log.warning('Careful');
    log.error('Failed', new Error('why'));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      [
        { severity: 'info', ts: AT / 1000, v: 4, logger: 'store', key: '/a', revision: '5', msg: 'Got it' },
        { severity: 'warning', ts: AT / 1000, msg: 'Careful' },
        { severity: 'error', ts: AT / 1000, err: 'why', msg: 'Failed' },
      ],
    );
  });

  it('are dropped when nobody reads them, which is told', () => {
    const written: string[] = [];
    const stream = { writableLength: 0, write: (text: string) => written.push(text) };
    const writer = new LineWriter(stream);
    writer.write('a\n');
    stream.writableLength = 2 * 1024 * 1024;
    writer.write('b\n');
    writer.write('c\n');
    stream.writableLength = 0;
    writer.write('d\n');
    assert.deepEqual(written, ['a\n', '2 log lines were dropped: nobody read them\n', 'd\n']);
  });
});

describe('secrets in logs', () => {
  for (const [name, value, expected] of [
    [
      'credentials',
      { Authorization: 'Bearer x', user: 'jane' },
      { Authorization: '[redacted]', user: 'jane' },
    ],
    [
      'nested credentials',
      { headers: { cookie: 'a' }, list: [{ token: 't' }] },
      { headers: { cookie: '[redacted]' }, list: [{ token: '[redacted]' }] },
    ],
    [
      "a Secret's data",
      { object: { kind: 'Secret', data: { a: 'b' }, stringData: {}, type: 'x' } },
      { object: { kind: 'Secret', data: '[redacted]', stringData: '[redacted]', type: 'x' } },
    ],
    [
      "a ConfigMap's data stays",
      { kind: 'ConfigMap', data: { a: 'b' } },
      { kind: 'ConfigMap', data: { a: 'b' } },
    ],
    ['bytes', { body: Buffer.from('abc') }, { body: '3 bytes' }],
  ] as const) {
    it(name, () => assert.deepEqual(redact(value), expected));
  }

  it('bottomless values end', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    assert.match(JSON.stringify(redact(loop)), /…/);
  });
});
