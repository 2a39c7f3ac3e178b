import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequestError } from '../../errors/status-errors.ts';
import type { ConnectionUpgrade, Exchange } from '../exchange.ts';
import { answerHeaders } from './headers.ts';

/**
 * Sends a request for a WebSocket, and joins both connections where the other server agrees: what goes over them from
 * then on is theirs. The end of one is the end of the other.
 *
 * @returns the answer where it doesn't agree; undefined once the connections are joined. @throws what the connection throws.
 */
export function askForWebSocket(
  exchange: Exchange,
  begin: () => ClientRequest,
): Promise<IncomingMessage | undefined> {
  const { upgrade } = exchange.source;
  if (upgrade === undefined) throw badRequestError('this connection can not become a WebSocket');
  const sent = begin();
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.once('response', resolve);
    sent.once('upgrade', (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
      exchange.status = 101;
      join(upgrade, { answer, socket, head });
      resolve(undefined);
    });
    sent.end();
  });
}

interface Agreed {
  readonly answer: IncomingMessage;
  readonly socket: Duplex;
  /** What the other server has sent behind its answer. */
  readonly head: Buffer;
}

function join(client: ConnectionUpgrade, { answer, socket, head }: Agreed): void {
  client.taken();
  const here = client.socket;
  here.write(headOf(answer));
  if (head.length > 0) here.write(head);
  if (client.head.length > 0) socket.write(client.head);
  const end = (): void => {
    here.destroy();
    socket.destroy();
  };
  for (const side of [here, socket]) side.on('error', end).on('close', end);
  here.pipe(socket);
  socket.pipe(here);
}

function headOf(answer: IncomingMessage): string {
  const lines = Object.entries(answerHeaders(answer.headers)).map(
    ([name, value]) => `${name}: ${String(value)}`,
  );
  const first = ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade', 'upgrade: websocket'];
  return [...first, ...lines, '', ''].join('\r\n');
}
