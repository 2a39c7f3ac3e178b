import type { Duplex } from 'node:stream';

/** What a client gets whose bytes are no HTTP request: a code, a reason and a text. */
interface Refusal {
  readonly code: number;
  readonly phrase: string;
  readonly reason: string;
  readonly message: string;
}

const BAD_REQUEST: Refusal = {
  code: 400,
  phrase: 'Bad Request',
  reason: 'BadRequest',
  message: 'the bytes received are not a valid HTTP/1.1 request',
};

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_METHOD: {
    code: 405,
    phrase: 'Method Not Allowed',
    reason: 'MethodNotAllowed',
    message: 'the server does not know this method',
  },
  HPE_HEADER_OVERFLOW: {
    code: 431,
    phrase: 'Request Header Fields Too Large',
    reason: 'BadRequest',
    message: 'the headers of the request are too large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 413,
    phrase: 'Payload Too Large',
    reason: 'RequestEntityTooLarge',
    message: 'the chunk extensions of the request are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 408,
    phrase: 'Request Timeout',
    reason: 'Timeout',
    message: 'the request did not arrive in time',
  },
};

/** How long what a refused client still sends is read: closing with bytes unread resets, and the answer would be lost. */
const LINGER_MS = 500;

/**
 * Answers a client that sent what no HTTP/1.1 parser takes, and ends the connection. There is no request yet, hence no
 * exchange: the answer is written as bytes.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = Object.hasOwn(REFUSALS, error.code ?? '') ? REFUSALS[error.code ?? ''] : undefined;
  // The parser would stumble over the rest again.
  socket.removeAllListeners('data').on('data', () => undefined);
  socket.end(render(refusal ?? BAD_REQUEST));
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
}

function render({ code, phrase, reason, message }: Refusal): string {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  const body = JSON.stringify(status);
  return [
    `HTTP/1.1 ${code} ${phrase}`,
    'Cache-Control: no-cache, private',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
