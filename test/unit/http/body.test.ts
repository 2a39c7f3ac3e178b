import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { ApiError } from '../../../src/errors/api-error.ts';
import { BodyBudget, BodyReader, toRequestBody, withoutLongYaml } from '../../../src/http/body.ts';
import { LIMITS } from '../../../src/http/limits.ts';
import type { RequestBody } from '../../../src/request/context.ts';
import type { TranslatedYaml } from '../../../src/schema/parse/yaml-thread.ts';

function refused(code: number): (error: unknown) => boolean {
  return (error) => error instanceof ApiError && error.code === code;
}

describe('reading bodies', () => {
  it('joins the chunks', async () => {
    const stream = new PassThrough();
    const body = new BodyReader(new BodyBudget()).read(stream, undefined);
    stream.write('ab');
    stream.end('cd');
    assert.equal((await body).toString(), 'abcd');
  });

  it('refuses by the declared length without reading', async () => {
    const stream = new PassThrough();
    await assert.rejects(
      new BodyReader(new BodyBudget()).read(stream, String(LIMITS.bodyBytes + 1)),
      refused(413),
    );
    assert.equal(stream.readableFlowing, null);
  });

  it('refuses what turns out too large, and reads no further', async () => {
    const stream = new PassThrough({ highWaterMark: 1 << 24 });
    const body = new BodyReader(new BodyBudget()).read(stream, undefined);
    stream.write(Buffer.alloc(LIMITS.bodyBytes));
    stream.write('x');
    await assert.rejects(body, refused(413));
    assert.equal(stream.isPaused(), true);
  });

  for (const when of ['before', 'while'] as const) {
    it(`refuses a body whose client leaves ${when} it is read`, async () => {
      const stream = new PassThrough();
      stream.on('error', () => undefined);
      if (when === 'before') stream.destroy();
      const body = new BodyReader(new BodyBudget()).read(stream, '10');
      stream.destroy(new Error('reset'));
      await assert.rejects(body, refused(400));
    });
  }

  it('shares a budget with other requests, until they are over', async () => {
    const budget = new BodyBudget(10);
    const first = new BodyReader(budget);
    const stream = new PassThrough();
    stream.end('12345678');
    await first.read(stream, '8');
    assert.equal(budget.used, 8);
    const second = new PassThrough();
    second.end('123');
    await assert.rejects(new BodyReader(budget).read(second, '3'), refused(429));
    first.release();
    first.release();
    assert.equal(budget.used, 0);
  });
});

describe('the media type of a body', () => {
  for (const [header, type] of [
    ['', ''],
    ['application/json', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    [' text/plain ;x', 'text/plain'],
  ] as const) {
    it(`${JSON.stringify(header)} is ${type}`, () => {
      assert.equal(toRequestBody(Buffer.alloc(0), header).mediaType, type);
    });
  }
});

describe('a body in YAML', () => {
  const translate = (): Promise<TranslatedYaml> =>
    Promise.resolve({ json: new TextEncoder().encode('{"a":1}'), repeated: ['twice'] });
  const readable = (text: string, contentType: string): Promise<RequestBody> =>
    withoutLongYaml(toRequestBody(Buffer.from(text), contentType), translate);
  const long = `a: ${'x'.repeat(20_000)}\n`;

  it('is JSON when it is long', async () => {
    for (const type of ['application/yaml', 'application/apply-patch+yaml; charset=utf-8']) {
      const body = await readable(long, type);
      assert.equal(body.bytes.toString(), '{"a":1}');
      assert.deepEqual([body.contentType, body.repeated], [type, ['twice']]);
    }
  });

  it('stays as it is when it is short, JSON, or something else', async () => {
    for (const [text, type] of [
      ['a: 1\n', 'application/yaml'],
      [JSON.stringify({ a: 'x'.repeat(20_000) }), 'application/yaml'],
      [long, 'application/json'],
    ] as const) {
      const body = await readable(text, type);
      assert.equal(body.bytes.toString(), text);
      assert.equal(body.repeated, undefined);
    }
  });
});
