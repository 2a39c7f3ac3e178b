import assert from 'node:assert/strict';
import { readRangeRecord, writeRangeRecord } from '../../../../src/registry/allocation/range-record.ts';

describe('the record of a range', () => {
  it('is read as the Go API server writes it', () => {
    const stored =
      'azhzAAoVCgJ2MRIPUmFuZ2VBbGxvY2F0aW9uEiIKEAoAEgAaACIAKgAyADgAQgASCzEwLjAuMC4wLzE2GgEBGgAiAA==';
    const { range, data } = readRangeRecord(Buffer.from(stored, 'base64'));
    assert.deepEqual([range, data.toString('hex')], ['10.0.0.0/16', '01']);
  });

  it('is read as it is written, in both forms', () => {
    const record = { range: '30000-32767', data: Buffer.from('8001', 'hex') };
    for (const form of ['json', 'protobuf'] as const) {
      assert.deepEqual(readRangeRecord(writeRangeRecord(record, form)), record);
    }
    const empty = { range: 'fd00::/112', data: Buffer.alloc(0) };
    assert.deepEqual(readRangeRecord(writeRangeRecord(empty, 'protobuf')), empty);
  });

  it('is refused when it is something else', () => {
    for (const text of ['', '[', '{"range":1}', 'k8s\0\x01']) {
      assert.throws(() => readRangeRecord(Buffer.from(text, 'latin1')), text);
    }
  });
});
