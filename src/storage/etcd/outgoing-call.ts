import type { Metadata } from '@grpc/grpc-js';

/** A unary call of etcd's interface. */
export interface Method<Request, Response> {
  readonly path: string;
  readonly encode: (request: Request) => Buffer;
  readonly decode: (message: Buffer) => Response;
}

/** A unary call ready to be sent. */
export interface OutgoingCall {
  readonly payload: Buffer;
  readonly metadata?: Metadata | undefined;
  /** When it must have been answered, on the machine's clock: gRPC's deadlines are that. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}
