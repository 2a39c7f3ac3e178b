import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalMicroTime, canonicalTime } from '../../../src/meta/time.ts';

describe('times', () => {
  const cases: [text: string, seconds: string | null | undefined, micros: string | null | undefined][] = [
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z', undefined],
    ['2024-01-02T03:04:05.123456Z', '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.123456Z'],
    ['2024-01-02T03:04:05.999999999Z', '2024-01-02T03:04:05Z', undefined],
    ['2024-01-02T03:04:05+02:00', '2024-01-02T01:04:05Z', undefined],
    ['2024-01-02T03:04:05.123456+01:30', '2024-01-02T01:34:05Z', '2024-01-02T01:34:05.123456Z'],
    ['2024-01-02T03:04:05-00:00', '2024-01-02T03:04:05Z', undefined],
    ['2024-01-02T3:04:05Z', '2024-01-02T03:04:05Z', undefined],
    ['2024-01-02T03:04:05,5Z', '2024-01-02T03:04:05Z', undefined],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z', undefined],
    ['2023-02-29T00:00:00Z', undefined, undefined],
    ['1900-02-29T00:00:00Z', undefined, undefined],
    ['2024-04-31T00:00:00Z', undefined, undefined],
    ['2024-13-01T00:00:00Z', undefined, undefined],
    ['2024-01-02T24:00:00Z', undefined, undefined],
    ['2024-01-02T23:59:60Z', undefined, undefined],
    ['0001-01-01T00:00:00Z', null, undefined],
    ['0001-01-01T00:00:00.500000Z', null, '0001-01-01T00:00:00.500000Z'],
    ['0001-01-01T00:00:00.000000Z', null, null],
    ['2024-01-02 03:04:05Z', undefined, undefined],
    ['2024-01-02t03:04:05Z', undefined, undefined],
    ['2024-01-02T03:04:05z', undefined, undefined],
    ['2024-01-02T03:04:05', undefined, undefined],
    ['2024-01-02T03:04:05.Z', undefined, undefined],
    ['2024-01-02T03:04:05+25:00', undefined, undefined],
    ['2024-01-02T03:04:05+0200', undefined, undefined],
    ['9999-12-31T23:59:59-01:00', undefined, undefined],
    ['yesterday', undefined, undefined],
    ['', undefined, undefined],
  ];
  for (const [text, seconds, micros] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      assert.equal(canonicalTime(text), seconds);
      assert.equal(canonicalMicroTime(text), micros);
    });
  }

  it('keeps what the clock shows', () => {
    const dates = fc.date({ noInvalidDate: true, min: new Date('1000-01-01'), max: new Date('9999-01-01') });
    fc.assert(
      fc.property(dates, (date) => {
        assert.equal(canonicalTime(date.toISOString()), `${date.toISOString().slice(0, 19)}Z`);
      }),
    );
  });
});
