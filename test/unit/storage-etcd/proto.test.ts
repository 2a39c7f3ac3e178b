import assert from 'node:assert/strict';
import type { ServiceDefinition } from '@grpc/grpc-js';
import fc from 'fast-check';
import type { Revision } from '../../../src/meta/revision.ts';
import type { LeaseId, TransactionOperation } from '../../../src/storage/port.ts';
import { decodeRange, decodeTxn, encodeRange, encodeTxn } from '../../../src/storage/etcd/proto/kv.ts';
import { ProtoError } from '../../../src/lib/protobuf-reader.ts';
import { decodeWatch, encodeWatchCreate, PROGRESS_REQUEST } from '../../../src/storage/etcd/proto/watch.ts';
import { definitionOf } from '../../support/fake-etcd.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;
const revision = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: LARGEST }));
const lease = fc.oneof(fc.constant('1'), fc.bigInt({ min: 1n, max: (1n << 63n) - 1n }).map(String));
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });

/** The proto files of the etcd3 package, read by protobufjs, are what our own codec is held against. */
describe('etcd messages', () => {
  let kv: ServiceDefinition;
  let watch: ServiceDefinition;

  before(async () => {
    kv = await definitionOf('KV');
    watch = await definitionOf('Watch');
  });

  const asServer = (service: ServiceDefinition, method: string, message: Buffer): Record<string, unknown> =>
    service[method]!.requestDeserialize(message) as Record<string, unknown>;
  const fromServer = (service: ServiceDefinition, method: string, message: object): Buffer =>
    service[method]!.responseSerialize(message);

  const item = (value: { key: string; create: number; mod: number; value: Buffer; lease?: string }) => ({
    wire: {
      key: Buffer.from(value.key),
      create_revision: String(value.create),
      mod_revision: String(value.mod),
      version: '3',
      value: value.value,
      lease: value.lease ?? '0',
    },
    decoded: {
      key: value.key,
      value: value.value,
      createRevision: value.create,
      modRevision: value.mod,
      ...(value.lease !== undefined && { lease: value.lease }),
    },
  });
  const items = fc.record(
    { key: text, create: revision, mod: revision, value: bytes, lease },
    { requiredKeys: ['key', 'create', 'mod', 'value'] },
  );

  it('a range request says what was asked for', () => {
    const request = fc.record(
      {
        start: text,
        end: text,
        limit: fc.integer({ min: 1 }),
        revision: revision as fc.Arbitrary<Revision>,
        keysOnly: fc.boolean(),
        countOnly: fc.boolean(),
      },
      { requiredKeys: ['start'] },
    );
    fc.assert(
      fc.property(request, (asked) => {
        const seen = asServer(kv, 'Range', encodeRange(asked));
        assert.equal(String(seen['key']), asked.start);
        assert.equal(String(seen['range_end']), asked.end ?? '');
        assert.equal(seen['limit'], String(asked.limit ?? 0));
        assert.equal(seen['revision'], String(asked.revision ?? 0));
        assert.equal(seen['keys_only'], asked.keysOnly ?? false);
        assert.equal(seen['count_only'], asked.countOnly ?? false);
        assert.equal(seen['serializable'], false);
      }),
    );
  });

  it('a range answer is read back', () => {
    const answer = fc.record({
      items: fc.array(items, { maxLength: 5 }),
      count: revision,
      more: fc.boolean(),
      revision,
    });
    fc.assert(
      fc.property(answer, (given) => {
        const kvs = given.items.map(item);
        const message = fromServer(kv, 'Range', {
          header: { cluster_id: '18446744073709551615', revision: String(given.revision) },
          kvs: kvs.map(({ wire }) => wire),
          more: given.more,
          count: String(given.count),
        });
        const { items: read, ...rest } = decodeRange(message);
        assert.deepEqual(rest, { count: given.count, more: given.more, revision: given.revision });
        assert.deepEqual(
          read,
          kvs.map(({ decoded }) => decoded),
        );
      }),
    );
  });

  it('a transaction says its conditions, its operations and what to read if they fail', () => {
    const operation: fc.Arbitrary<TransactionOperation> = fc.oneof(
      fc.record({ op: fc.constant('delete' as const), key: text }),
      fc.record(
        { op: fc.constant('put' as const), key: text, value: bytes, lease: lease as fc.Arbitrary<LeaseId> },
        { requiredKeys: ['op', 'key', 'value'] },
      ),
    );
    const modRevision = fc.oneof(fc.constant(0), revision) as fc.Arbitrary<Revision>;
    const transaction = fc.record({
      conditions: fc.array(fc.record({ key: text, modRevision }), { maxLength: 4 }),
      operations: fc.array(operation, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(transaction, (given) => {
        const seen = asServer(kv, 'Txn', encodeTxn(given)) as Record<string, Record<string, unknown>[]>;
        assert.deepEqual(
          seen['compare']!.map(({ key, target, result, mod_revision }) => [
            String(key),
            target,
            result,
            mod_revision,
          ]),
          given.conditions.map(({ key, modRevision: mod }) => [key, 'Mod', 'Equal', String(mod)]),
        );
        assert.deepEqual(
          seen['failure']!.map(({ request_range }) => String((request_range as { key: Buffer }).key)),
          given.conditions.map(({ key }) => key),
        );
        assert.deepEqual(seen['success']!.map(plainOperation), given.operations.map(expectedOperation));
      }),
    );
  });

  it('a transaction answer is read back, whether it succeeded or failed', () => {
    const found = fc.option(items, { nil: undefined });
    const answer = fc.record({ succeeded: fc.boolean(), revision, found: fc.array(found, { maxLength: 4 }) });
    fc.assert(
      fc.property(answer, (given) => {
        const kvs = given.found.map((one) => (one === undefined ? undefined : item(one)));
        const responses = kvs.map((one) => {
          const list = one === undefined ? [] : [one.wire];
          if (given.succeeded)
            return { response_delete_range: { deleted: String(list.length), prev_kvs: list } };
          return { response_range: { kvs: list, count: '1' } };
        });
        const header = { revision: String(given.revision) };
        const put = given.succeeded ? [{ response_put: { header } }] : [];
        const message = fromServer(kv, 'Txn', {
          header,
          succeeded: given.succeeded,
          responses: [...put, ...responses],
        });
        const read = decodeTxn(message);
        assert.deepEqual([read.succeeded, read.revision], [given.succeeded, given.revision]);
        assert.deepEqual(
          read.values,
          kvs.map((one) => one?.decoded),
        );
      }),
    );
  });

  it('a watch request creates one watcher in fragments, and asks for progress', () => {
    const key = Buffer.from('/registry/');
    const rangeEnd = Buffer.from('/registry0');
    for (const flags of [
      { previous: true, progressNotify: false },
      { previous: false, progressNotify: true },
    ]) {
      const startRevision = (2 ** 40) as Revision;
      const message = encodeWatchCreate({ key, rangeEnd, startRevision, ...flags });
      const { create_request } = asServer(watch, 'Watch', message) as {
        create_request: Record<string, unknown>;
      };
      assert.deepEqual([create_request['key'], create_request['range_end']], [key, rangeEnd]);
      assert.deepEqual(
        [create_request['start_revision'], create_request['fragment']],
        [String(startRevision), true],
      );
      assert.deepEqual(
        [create_request['prev_kv'], create_request['progress_notify']],
        [flags.previous, flags.progressNotify],
      );
    }
    assert.deepEqual(asServer(watch, 'Watch', PROGRESS_REQUEST)['progress_request'], {});
  });

  it('watch messages are read back: events, progress of watch -1, a cancellation', () => {
    const put = item({ key: '/a', create: 5, mod: 7, value: Buffer.from('x') });
    const before = item({ key: '/a', create: 5, mod: 5, value: Buffer.from('w') });
    const gone = item({ key: '/b', create: 0, mod: 8, value: Buffer.alloc(0) });
    const events = decodeWatch(
      fromServer(watch, 'Watch', {
        header: { revision: '9' },
        watch_id: '3',
        fragment: true,
        events: [
          { type: 'Put', kv: put.wire, prev_kv: before.wire },
          { type: 'Delete', kv: gone.wire },
        ],
      }),
    );
    assert.deepEqual([events.revision, events.fragment, events.created], [9, true, false]);
    assert.deepEqual(events.events, [
      { type: 'put', ...put.decoded, previous: before.decoded },
      { type: 'delete', ...gone.decoded },
    ]);
    const progress = decodeWatch(fromServer(watch, 'Watch', { header: { revision: '12' }, watch_id: '-1' }));
    assert.deepEqual([progress.revision, progress.events], [12, []]);
    const canceled = { canceled: true, compact_revision: '77', cancel_reason: 'why not' };
    const end = decodeWatch(fromServer(watch, 'Watch', canceled));
    assert.deepEqual([end.canceled, end.compactRevision, end.cancelReason], [true, 77, 'why not']);
  });

  it('bytes that are no such message are refused, and never read beyond their end', () => {
    const whole = fromServer(kv, 'Range', {
      header: { revision: '9' },
      kvs: [item({ key: '/a', create: 5, mod: 7, value: Buffer.alloc(200, 'x') }).wire],
    });
    for (let length = 1; length < whole.length; length++) {
      const cut = whole.subarray(0, length);
      try {
        decodeRange(cut);
      } catch (error) {
        assert.ok(error instanceof ProtoError, String(error));
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (array) => {
        for (const decode of [decodeRange, decodeTxn, decodeWatch]) {
          try {
            decode(Buffer.from(array));
          } catch (error) {
            assert.ok(error instanceof ProtoError, String(error));
          }
        }
      }),
    );
    assert.throws(() => decodeRange(Buffer.from([0x20, ...Array<number>(8).fill(0xff), 0x7f])), ProtoError);
    assert.throws(() => decodeRange(whole.subarray(0, whole.length - 1)), ProtoError);
  });

  it('a lease that is no int64 is refused', () => {
    for (const lease of ['9223372036854775808', '-1', 'x']) {
      const operations = [{ op: 'put' as const, key: 'a', value: Buffer.alloc(0), lease: lease as LeaseId }];
      assert.throws(
        () => encodeTxn({ conditions: [], operations }),
        (error: Error) => error instanceof Error,
      );
    }
  });
});

function plainOperation(seen: Record<string, unknown>): unknown {
  const put = seen['request_put'] as { key: Buffer; value: Buffer; lease: string } | undefined;
  if (put !== undefined && put !== null)
    return ['put', String(put.key), put.value.toString('hex'), put.lease];
  const removed = seen['request_delete_range'] as { key: Buffer; prev_kv: boolean };
  return ['delete', String(removed.key), removed.prev_kv];
}

function expectedOperation(operation: TransactionOperation): unknown {
  if (operation.op === 'delete') return ['delete', operation.key, true];
  const value = Buffer.from(operation.value).toString('hex');
  return ['put', operation.key, value, operation.lease ?? '0'];
}
