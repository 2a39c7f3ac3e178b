import { Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import type { ClientHttp2Stream, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2';
import { constants } from 'node:http2';
import type { TimedTask } from '../../lib/coarse-timer.ts';

/** Whether what follows is compressed, which we never ask for, and its length. */
const PREFIX_BYTES = 5;
const EMPTY = Buffer.alloc(0);

export interface UnaryOutcome<Response> {
  /** @param message without its prefix. Throws what is no message. */
  readonly decode: (message: Buffer) => Response;
  readonly resolve: (answer: Response) => void;
  readonly reject: (error: ServiceError) => void;
  /** Whatever became of the call, once. @param lost nothing came back, and nobody knows whether anything ever will */
  readonly ended: (lost: boolean) => void;
}

/** One unary gRPC call on an HTTP/2 stream of its own: a message goes, a message and a status come back. */
export class UnaryCall<Response> implements TimedTask {
  readonly #stream: ClientHttp2Stream;
  #outcome: UnaryOutcome<Response> | undefined;
  #received: Buffer = EMPTY;
  #more: Buffer[] | undefined;
  /** Headers that end the stream: a status, and a text perhaps. */
  #trailers: IncomingHttpHeaders | undefined;
  #failure: { readonly code: GrpcStatus; readonly details: string } | undefined;

  constructor(stream: ClientHttp2Stream, payload: Buffer, outcome: UnaryOutcome<Response>) {
    this.#stream = stream;
    this.#outcome = outcome;
    stream.on('response', (headers) => this.#begin(headers));
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('trailers', (trailers: IncomingHttpHeaders) => (this.#trailers = trailers));
    stream.on('end', () => {
      if (this.#trailers !== undefined) this.#settle();
    });
    stream.on('error', (error: Error) => {
      this.#failure ??= { code: GrpcStatus.UNAVAILABLE, details: `Connection dropped: ${error.message}` };
    });
    stream.on('close', () => this.#settle());
    stream.end(framed(payload));
  }

  /** The time is up. */
  due(): void {
    this.#giveUp(GrpcStatus.DEADLINE_EXCEEDED, 'Deadline exceeded');
  }

  cancel(): void {
    this.#giveUp(GrpcStatus.CANCELLED, 'Cancelled on client');
  }

  #giveUp(code: GrpcStatus, details: string): void {
    if (this.#outcome === undefined) return;
    this.#failure = { code, details };
    this.#trailers = undefined;
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#settle();
  }

  #begin(headers: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
    const status = headers[':status'];
    if (headers['grpc-status'] !== undefined) this.#trailers = headers;
    else if (status !== 200)
      this.#failure = { code: GrpcStatus.UNAVAILABLE, details: `HTTP status ${status}` };
  }

  #receive(chunk: Buffer): void {
    if (this.#received.length === 0) this.#received = chunk;
    else (this.#more ??= [this.#received]).push(chunk);
  }

  /** Once. Streams of Node outlive collections of the young generation: what they lead to is let go. */
  #settle(): void {
    if (this.#outcome === undefined) return;
    const { resolve, reject, ended, decode } = this.#outcome;
    this.#outcome = undefined;
    const failure = this.#failureOf();
    ended(failure !== undefined && this.#trailers === undefined && failure.code !== GrpcStatus.CANCELLED);
    try {
      if (failure === undefined) resolve(decode(this.#message()));
      else reject(serviceError(failure.code, failure.details));
    } catch (error) {
      const details = `Response message parsing error: ${(error as Error).message}`;
      reject(serviceError(GrpcStatus.INTERNAL, details));
    }
    this.#received = EMPTY;
    this.#more = undefined;
  }

  /** What went wrong, in gRPC's words. */
  #failureOf(): { readonly code: GrpcStatus; readonly details: string } | undefined {
    if (this.#trailers !== undefined) {
      const code = Number(this.#trailers['grpc-status']);
      if (code === 0) return undefined;
      return { code, details: messageOf(this.#trailers) };
    }
    if (this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM)
      return { code: GrpcStatus.UNAVAILABLE, details: 'Stream refused by server' };
    return this.#failure ?? { code: GrpcStatus.UNAVAILABLE, details: 'Connection dropped' };
  }

  #message(): Buffer {
    const bytes = this.#more === undefined ? this.#received : Buffer.concat(this.#more);
    if (bytes.length < PREFIX_BYTES) throw new Error('there is none');
    if (bytes[0] !== 0) throw new Error('it is compressed');
    if (bytes.readUInt32BE(1) !== bytes.length - PREFIX_BYTES) throw new Error('its length is wrong');
    return bytes.subarray(PREFIX_BYTES);
  }
}

function framed(payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + payload.length);
  frame[0] = 0;
  frame.writeUInt32BE(payload.length, 1);
  frame.set(payload, PREFIX_BYTES);
  return frame;
}

/** The text of a status, which is percent-encoded. */
function messageOf({ 'grpc-message': text }: IncomingHttpHeaders): string {
  if (typeof text !== 'string') return '';
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function serviceError(code: GrpcStatus, details: string): ServiceError {
  return Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: new Metadata() });
}
