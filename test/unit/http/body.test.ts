import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { ApiError } from '../../../src/errors/api-error.ts';
import { BodyBudget, BodyReader, toRequestBody } from '../../../src/http/body.ts';
import { LIMITS } from '../../../src/http/limits.ts';

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
