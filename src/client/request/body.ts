import { parseExactJson } from '../../lib/exact-json.ts';
import type { Status } from '../../errors/api-error.ts';
import { StatusError } from '../status-error.ts';
import type { TransportResponse } from '../transport.ts';

/** What of a body that is no JSON is shown. */
const SHOWN = 200;
/** Refusals are short. */
const MAX_REFUSAL = 1 << 20;

/** The whole body of an answer. */
export async function readBytes({ body }: TransportResponse, limit = Infinity): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return chunks.length === 1 && chunks[0] !== undefined ? asBuffer(chunks[0]) : Buffer.concat(chunks);
}

/** The same bytes as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The JSON of an answer. Integers beyond 2^53 are bigint. @throws Error for what is none. */
export async function readJson(response: TransportResponse, what: string): Promise<unknown> {
  const text = (await readBytes(response)).toString('utf8');
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw new Error(`the answer to ${what} is not JSON: ${text.slice(0, SHOWN)}`, { cause });
  }
}

/** Makes an error of an answer with status 400 or more. */
export async function readRefusal(response: TransportResponse): Promise<StatusError> {
  const text = (await readBytes(response, MAX_REFUSAL)).toString('utf8');
  const retryAfter = retryAfterOf(response);
  try {
    const status = JSON.parse(text) as Status | null;
    if (status?.kind === 'Status') return new StatusError(status, { code: response.status, retryAfter });
  } catch {
    // Not from the API server, or from an endpoint that answers in plain words.
  }
  const message = text.trim().slice(0, SHOWN) || `HTTP ${response.status}`;
  return new StatusError(
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: response.status },
    { retryAfter },
  );
}

/** Seconds of a `Retry-After` header; dates don't occur. */
export function retryAfterOf({ headers }: TransportResponse): number | undefined {
  const value = headers['retry-after'];
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
}
