import assert from 'node:assert/strict';
import { Metadata, status } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { judge, toStorageError } from '../../../src/storage/etcd/errors.ts';

function failure(code: status, details: string): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata: new Metadata() });
}

describe('etcd errors', () => {
  const { OUT_OF_RANGE, RESOURCE_EXHAUSTED, INVALID_ARGUMENT, NOT_FOUND, UNAVAILABLE, UNKNOWN, INTERNAL } =
    status;
  const { DEADLINE_EXCEEDED, UNAUTHENTICATED, PERMISSION_DENIED, DATA_LOSS, CANCELLED, FAILED_PRECONDITION } =
    status;

  /** gRPC code, text → as a read, as a write, whether and how it is attempted again. */
  const table: [status, string, string, string, string][] = [
    [
      OUT_OF_RANGE,
      'etcdserver: mvcc: required revision has been compacted',
      'compacted',
      'compacted',
      'never',
    ],
    [
      OUT_OF_RANGE,
      'etcdserver: mvcc: required revision is a future revision',
      'futureRevision',
      'futureRevision',
      'never',
    ],
    [RESOURCE_EXHAUSTED, 'etcdserver: mvcc: database space exceeded', 'noSpace', 'noSpace', 'never'],
    [RESOURCE_EXHAUSTED, 'grpc: received message larger than max (3 vs. 2)', 'tooLarge', 'tooLarge', 'never'],
    [RESOURCE_EXHAUSTED, 'etcdserver: too many requests', 'unavailable', 'unavailable', 'elsewhere'],
    [INVALID_ARGUMENT, 'etcdserver: request is too large', 'tooLarge', 'tooLarge', 'never'],
    [INVALID_ARGUMENT, 'etcdserver: too many operations in txn request', 'tooLarge', 'tooLarge', 'never'],
    [INVALID_ARGUMENT, 'etcdserver: key is not provided', 'invalid', 'invalid', 'never'],
    [NOT_FOUND, 'etcdserver: requested lease not found', 'leaseNotFound', 'leaseNotFound', 'never'],
    [
      UNAUTHENTICATED,
      'etcdserver: invalid auth token',
      'unauthenticated',
      'unauthenticated',
      'with-new-token',
    ],
    [
      INVALID_ARGUMENT,
      'etcdserver: revision of auth store is old',
      'unauthenticated',
      'unauthenticated',
      'with-new-token',
    ],
    [
      INVALID_ARGUMENT,
      'etcdserver: authentication failed, invalid user ID or password',
      'unauthenticated',
      'unauthenticated',
      'never',
    ],
    [PERMISSION_DENIED, 'etcdserver: permission denied', 'unauthenticated', 'unauthenticated', 'never'],
    [FAILED_PRECONDITION, 'etcdserver: lease already exists', 'invalid', 'invalid', 'never'],
    [DATA_LOSS, 'etcdserver: corrupt cluster', 'corrupt', 'corrupt', 'never'],
    [UNAVAILABLE, 'etcdserver: no leader', 'unavailable', 'unavailable', 'elsewhere'],
    [UNAVAILABLE, 'etcdserver: leader changed', 'unavailable', 'ambiguous', 'elsewhere'],
    [UNAVAILABLE, 'etcdserver: request timed out', 'deadline', 'ambiguous', 'elsewhere'],
    [UNAVAILABLE, 'etcdserver: server stopped', 'unavailable', 'ambiguous', 'elsewhere'],
    [
      UNAVAILABLE,
      'No connection established. Last error: connect ECONNREFUSED',
      'unavailable',
      'unavailable',
      'elsewhere',
    ],
    [UNAVAILABLE, 'Connection dropped', 'unavailable', 'ambiguous', 'elsewhere'],
    [UNAVAILABLE, 'Stream refused by server', 'unavailable', 'unavailable', 'elsewhere'],
    [UNAVAILABLE, 'anything new', 'unavailable', 'ambiguous', 'elsewhere'],
    [UNKNOWN, 'anything new', 'unavailable', 'ambiguous', 'elsewhere'],
    [INTERNAL, 'Received RST_STREAM with code 2', 'unavailable', 'ambiguous', 'elsewhere'],
    [INTERNAL, 'Response message parsing error: the message is cut short', 'corrupt', 'ambiguous', 'never'],
    [DEADLINE_EXCEEDED, 'Deadline exceeded after 10.000s', 'deadline', 'ambiguous', 'never'],
    [CANCELLED, 'Call cancelled', 'unavailable', 'ambiguous', 'elsewhere'],
  ];
  for (const [code, text, asRead, asWrite, again] of table) {
    it(`${status[code]} "${text}" is ${asRead}, and ${asWrite} of a write`, () => {
      const error = failure(code, text);
      assert.equal(toStorageError(error, 'read').code, asRead);
      const written = toStorageError(error, 'write');
      assert.equal(written.code, asWrite);
      assert.equal(written.cause, error);
      assert.ok(written.message.includes(text));
      assert.equal(judge(error).again, again);
    });
  }
});
