import type { WebSocket } from 'ws';

/** Why WebSockets are closed (RFC 6455 section 7.4.1). */
export const CLOSE_CODES = {
  /** The purpose of the connection was fulfilled. */
  normal: 1000,
  /** The server goes. */
  goingAway: 1001,
  /** The client breaks the protocol that both agreed on. */
  protocolError: 1002,
  /** Messages have to be of bytes. */
  unsupported: 1003,
} as const;

/** Closes a WebSocket that may be paused: else its client's agreement would not be read. */
export function close(webSocket: WebSocket, why: keyof typeof CLOSE_CODES): void {
  webSocket.resume();
  webSocket.close(CLOSE_CODES[why]);
}
