import type { Transport, TransportRequest, TransportResponse } from '../../../src/client/transport.ts';

/** An answer: JSON with status 200, or what is said otherwise. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A server that is a function. */
export class MemoryTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  readonly #answer: (request: TransportRequest) => Answer | AsyncIterable<string>;

  constructor(answer: (request: TransportRequest) => Answer | AsyncIterable<string>) {
    this.#answer = answer;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    const answer = this.#answer(request);
    if (Symbol.asyncIterator in answer) {
      return Promise.resolve({ status: 200, headers: {}, body: encode(answer) });
    }
    const { status = 200, headers = {}, body = {} } = answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return Promise.resolve({ status, headers, body: encode([text]) });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function* encode(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

/** Everything that comes. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}
