import type { WebSocket } from 'ws';
import { LIMITS } from '../limits.ts';
import { close } from '../websocket/close.ts';
import type { AgreedConnection } from './upgrade.ts';

/** Carries another connection's bytes in the messages of a WebSocket, both ways. @returns what ends both. */
export function openTunnel(webSocket: WebSocket, { socket, head }: AgreedConnection): () => void {
  const end = (): void => {
    close(webSocket, 'normal');
    socket.end(() => socket.destroy());
  };
  const send = (chunk: Buffer): void => {
    webSocket.send(chunk, { binary: true }, () => webSocket.bufferedAmount === 0 && socket.resume());
    if (webSocket.bufferedAmount > LIMITS.streamQueueBytes) socket.pause();
  };
  webSocket.on('message', (message: Buffer, isBinary: boolean) => {
    if (!isBinary) {
      close(webSocket, 'unsupported');
      socket.destroy();
    } else if (!socket.write(message)) webSocket.pause();
  });
  webSocket.on('close', end);
  if (head.length > 0) send(head);
  socket.on('data', send);
  socket.on('drain', () => webSocket.resume());
  socket.on('error', () => undefined); // 'close' comes after it
  socket.on('end', end).on('close', end);
  return end;
}
