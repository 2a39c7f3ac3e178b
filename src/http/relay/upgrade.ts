import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequestError } from '../../errors/status-errors.ts';
import type { ConnectionUpgrade, Exchange } from '../exchange.ts';
import { repeatedly } from './ask.ts';
import type { ConnectionSet } from './connection-set.ts';
import { answerHeaders } from './headers.ts';
import { join } from './join.ts';
import { PASSED_ON } from './passed-on.ts';

/** Another server's answer to a request for another protocol. */
export interface UpgradeAnswer {
  readonly answer: IncomingMessage;
  /** Set where it agrees. */
  readonly agreed?: AgreedConnection;
}

export interface AgreedConnection {
  readonly socket: Duplex;
  /** What the other server has sent behind its answer. */
  readonly head: Buffer;
}

/**
 * Sends a request for another protocol. A client that leaves ends it, until there is an answer.
 *
 * @param begin begins the request anew each time. @throws what the connection throws.
 */
export async function askForUpgrade(
  { signal }: Pick<Exchange, 'signal'>,
  begin: (signal: AbortSignal) => ClientRequest,
): Promise<UpgradeAnswer> {
  const asking = new AbortController();
  const leave = (): void => asking.abort(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  try {
    // One whose connection was closed meanwhile has been seen by nobody.
    return await repeatedly(
      () => begin(asking.signal),
      answerTo,
      () => !signal.aborted,
    );
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function answerTo(sent: ClientRequest): Promise<UpgradeAnswer> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.once('response', (answer) => resolve({ answer }));
    sent.once('upgrade', (answer: IncomingMessage, socket: Duplex, head: Buffer) =>
      resolve({ answer, agreed: { socket, head } }),
    );
    sent.end();
  });
}

/**
 * Asks another server for the protocol that a client asks for, and joins both connections where that agrees: what goes
 * over them from then on is theirs.
 *
 * @returns the answer where it doesn't agree; undefined once the connections are joined. @throws what the connection throws.
 */
export async function passUpgrade(
  exchange: Exchange,
  begin: (signal: AbortSignal) => ClientRequest,
  connections: ConnectionSet,
): Promise<IncomingMessage | undefined> {
  const { upgrade } = exchange.source;
  if (upgrade === undefined) throw badRequestError('this connection can not go on in another protocol');
  if (exchange.source.bodyStream() !== undefined)
    throw badRequestError('a request for another protocol has no body');
  const { answer, agreed } = await askForUpgrade(exchange, begin);
  if (agreed === undefined) return answer;
  exchange.status = 101;
  exchange.reply = PASSED_ON;
  const end = connect(upgrade, answer, agreed);
  exchange.atEnd(connections.add(end));
  return undefined;
}

function connect(client: ConnectionUpgrade, answer: IncomingMessage, agreed: AgreedConnection): () => void {
  client.taken();
  const { socket } = client;
  socket.write(headOf(answer));
  if (agreed.head.length > 0) socket.write(agreed.head);
  if (client.head.length > 0) agreed.socket.write(client.head);
  return join(socket, agreed.socket);
}

function headOf({ headers }: IncomingMessage): string {
  const lines = Object.entries(answerHeaders(headers)).map(([name, value]) => `${name}: ${String(value)}`);
  const protocol = headers.upgrade ?? '';
  const first = ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade', `upgrade: ${protocol}`];
  return [...first, ...lines, '', ''].join('\r\n');
}
