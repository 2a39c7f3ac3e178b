import { status as GrpcStatus } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import type { StorageErrorCode } from '../errors.ts';
import { StorageError } from '../errors.ts';

/** What a failed call means. The only place that looks at gRPC's codes and etcd's texts. */
export interface Verdict {
  readonly code: StorageErrorCode;
  /** Whether the server may have carried the call out. */
  readonly executed: 'no' | 'perhaps';
  /** What another attempt of a call that wasn't carried out needs: another endpoint, a new token, or it is useless. */
  readonly again: 'elsewhere' | 'with-new-token' | 'never';
}

const REFUSED = { executed: 'no', again: 'never' } as const;
const NOT_SENT: Verdict = { code: 'unavailable', executed: 'no', again: 'elsewhere' };
const LOST: Verdict = { code: 'unavailable', executed: 'perhaps', again: 'elsewhere' };
const STALE_TOKEN: Verdict = { code: 'unauthenticated', executed: 'no', again: 'with-new-token' };

/** Texts of etcd (api/v3rpc/rpctypes) and of grpc-js, which share gRPC codes though they mean different things. */
const BY_TEXT: readonly (readonly [string, Verdict])[] = [
  ['required revision has been compacted', { code: 'compacted', ...REFUSED }],
  ['required revision is a future revision', { code: 'futureRevision', ...REFUSED }],
  ['database space exceeded', { code: 'noSpace', ...REFUSED }],
  ['request is too large', { code: 'tooLarge', ...REFUSED }],
  ['message larger than max', { code: 'tooLarge', ...REFUSED }],
  ['too many operations in txn', { code: 'tooLarge', ...REFUSED }],
  ['requested lease not found', { code: 'leaseNotFound', ...REFUSED }],
  ['invalid auth token', STALE_TOKEN],
  ['revision of auth store is old', STALE_TOKEN],
  ['user name is empty', STALE_TOKEN],
  ['authentication failed', { code: 'unauthenticated', ...REFUSED }],
  ['authentication is not enabled', { code: 'unauthenticated', ...REFUSED }],
  ['permission denied', { code: 'unauthenticated', ...REFUSED }],
  ['corrupt', { code: 'corrupt', ...REFUSED }],
  ['no leader', NOT_SENT],
  ['too many requests', NOT_SENT],
  ['leader changed', LOST],
  ['request timed out', { code: 'deadline', executed: 'perhaps', again: 'elsewhere' }],
  ['No connection established', NOT_SENT],
  ['Name resolution failed', NOT_SENT],
  ['Stream refused by server', NOT_SENT],
  ['Channel closed before call started', NOT_SENT],
  ['message parsing error', { code: 'corrupt', executed: 'perhaps', again: 'never' }],
];

const BY_CODE: ReadonlyMap<number, Verdict> = new Map<number, Verdict>([
  [GrpcStatus.DEADLINE_EXCEEDED, { code: 'deadline', executed: 'perhaps', again: 'never' }],
  [GrpcStatus.INVALID_ARGUMENT, { code: 'invalid', ...REFUSED }],
  [GrpcStatus.NOT_FOUND, { code: 'invalid', ...REFUSED }],
  [GrpcStatus.ALREADY_EXISTS, { code: 'invalid', ...REFUSED }],
  [GrpcStatus.FAILED_PRECONDITION, { code: 'invalid', ...REFUSED }],
  [GrpcStatus.OUT_OF_RANGE, { code: 'invalid', ...REFUSED }],
  [GrpcStatus.PERMISSION_DENIED, { code: 'unauthenticated', ...REFUSED }],
  [GrpcStatus.UNAUTHENTICATED, { code: 'unauthenticated', ...REFUSED }],
  [GrpcStatus.UNIMPLEMENTED, { code: 'unavailable', ...REFUSED }],
  [GrpcStatus.DATA_LOSS, { code: 'corrupt', ...REFUSED }],
]);

/** Judges a call that failed. */
export function judge(error: ServiceError): Verdict {
  return judgeText(error.details) ?? BY_CODE.get(error.code) ?? LOST;
}

/** Judges a reason given in text alone, as a cancelled watch has it. */
export function judgeText(text: string): Verdict | undefined {
  return BY_TEXT.find(([part]) => text.includes(part))?.[1];
}

/**
 * The error of a call that isn't attempted again. A write that the server may have carried out is `ambiguous`
 * whatever went wrong.
 */
export function toStorageError(error: ServiceError, kind: 'read' | 'write'): StorageError {
  const verdict = judge(error);
  const ambiguous = kind === 'write' && verdict.executed === 'perhaps';
  return new StorageError(ambiguous ? 'ambiguous' : verdict.code, `etcd: ${error.details}`, { cause: error });
}

export function closedError(): StorageError {
  return new StorageError('closed', 'the etcd client is closed');
}

export function abortedError(signal: AbortSignal): StorageError {
  return new StorageError('aborted', 'the call was aborted', { cause: signal.reason });
}
