import assert from 'node:assert/strict';
import { YamlThread, type TranslatedYaml } from '../../../src/schema/parse/yaml-thread.ts';
import { isLongYaml, LONG_YAML, parseYaml } from '../../../src/schema/parse/yaml.ts';

describe('the thread for long YAML', () => {
  let thread: YamlThread;
  beforeEach(() => {
    thread = new YamlThread();
  });
  afterEach(() => thread.close());

  const translate = async (text: string, on = thread): Promise<unknown> =>
    JSON.parse(Buffer.from((await on.translate(Buffer.from(text))).json).toString());

  it('makes JSON of it, large integers exactly, and tells of repeated keys', async () => {
    const { json, repeated }: TranslatedYaml = await thread.translate(
      Buffer.from('a: 9223372036854775807\nb: {c: on, c: 2.0}\n'),
    );
    assert.equal(Buffer.from(json).toString(), '{"a":9223372036854775807,"b":{"c":2}}');
    assert.deepEqual(repeated, ['line 2: key "c" already set in map']);
  });

  it('refuses what is no YAML', () =>
    assert.rejects(translate('a: b: c\n'), { code: 400, message: /not YAML/ }));

  it('answers everybody with what is theirs', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? '[' : `v: ${i}\n`));
    const answers = await Promise.allSettled(texts.map((text) => translate(text)));
    for (const [i, answer] of answers.entries()) {
      if (i % 3 === 0) assert.equal(answer.status, 'rejected');
      else assert.deepEqual(answer, { status: 'fulfilled', value: { v: i } });
    }
  });

  it('gives up what takes too long, and goes on with the next', async () => {
    const hasty = new YamlThread({ textMs: 1 });
    const slow = translate(`[${'a,'.repeat(500_000)}a]`, hasty);
    await assert.rejects(slow, { code: 400, message: /reasonable time/ });
    await hasty.close();
    const patient = new YamlThread({ textMs: 60_000 });
    assert.deepEqual(await translate('a: 1\n', patient), { a: 1 });
    await patient.close();
  });

  it('lets only so many wait', async () => {
    const small = new YamlThread({ waiting: 2 });
    const three = [1, 2, 3].map((i) => translate(`v: ${i}\n`, small));
    await assert.rejects(translate('v: 4\n', small), { code: 429 });
    assert.deepEqual(await Promise.all(three), [{ v: 1 }, { v: 2 }, { v: 3 }]);
    await small.close();
  });

  it('refuses what takes too much memory, and goes on with the next', async () => {
    const narrow = new YamlThread({ heapMb: 24 });
    const large = translate(`[${'a,'.repeat(400_000)}a]`, narrow);
    const next = translate('a: 1\n', narrow);
    await assert.rejects(large, { code: 413 });
    assert.deepEqual(await next, { a: 1 });
    await narrow.close();
  }).timeout(20_000);

  it('works again after it was closed, and leaves nobody waiting', async () => {
    const left = translate('a: 1\n');
    await Promise.all([assert.rejects(left, { code: 503 }), thread.close()]);
    assert.deepEqual(await translate('a: 1\n'), { a: 1 });
  });
});

describe('long YAML', () => {
  const padding = 'x'.repeat(LONG_YAML);
  for (const [name, text, long] of [
    ['a short text', 'a: b\n', false],
    ['a long text', `a: ${padding}\n`, true],
    ['long JSON', `{"a":"${padding}","b":[true,false,null,-1.5e+3]}`, false],
    ['long JSON with lines before it', `\r\n {"a":"${padding}"}`, false],
    ['a long flow mapping', `{kind: "${padding}"}`, true],
    ['a long flow mapping that begins like JSON', `{"a": "${padding}", b: c}`, true],
    ['what only looks like long JSON', `{"a":"${padding}",`, false],
  ] as const) {
    it(`is${long ? '' : "n't"} ${name}`, () => assert.equal(isLongYaml(Buffer.from(text)), long));
  }

  it('must be JSON if it looks like it', () => {
    for (const text of [`{"a":"${padding}",`, `{"a":"${padding}","b":true false}`])
      assert.throws(() => parseYaml(Buffer.from(text)), { code: 400, message: /not JSON/ });
    assert.deepEqual(parseYaml(Buffer.from('{"a":true false}')).value, { a: 'true false' });
  });
});
