import assert from 'node:assert/strict';
import { formatDuration, parseDuration, parseDurationMs } from '../../../src/meta/duration.ts';

describe('durations as Go writes them', () => {
  for (const [text, ms] of [
    ['0', 0],
    ['5m0s', 300_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['.5s', 500],
    ['1.s', 1000],
    ['250us', 0.25],
    ['-100ms', -100],
    ['', undefined],
    ['5', undefined],
    ['5 m', undefined],
    ['m', undefined],
    ['.s', undefined],
    ['1d', undefined],
    ['1m-5s', undefined],
    ['300000000h', undefined],
  ] as const) {
    it(`${JSON.stringify(text)} is ${ms} ms`, () => assert.equal(parseDurationMs(text), ms));
  }

  for (const text of ['0s', '1ns', '1.5µs', '250ms', '1.5s', '1m0s', '1h30m0s', '-2h0m0.25s']) {
    it(`${text} is written as it was`, () => {
      const value = parseDuration(text);
      assert.ok(value !== undefined);
      assert.equal(formatDuration(value), text);
    });
  }
});
