import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Clock } from '../../lib/clock.ts';
import { readBounded } from '../../outbound/bounded-body.ts';
import { withDeadline } from '../../outbound/deadline.ts';
import { SpdySession } from '../../outbound/spdy/session.ts';
import type { ProgramStreams } from '../../registry/hooks.ts';
import { LIMITS } from '../limits.ts';
import { close } from '../websocket/close.ts';
import { reasonOf } from './ask.ts';
import { failure, outcomeOf, refusalOf, type Outcome } from './outcome.ts';
import { Program } from './program.ts';
import type { UpgradeAnswer } from './upgrade.ts';

export interface ProgramParts {
  readonly clock: Clock;
  /** Asks the agent for SPDY. `version` is that of the protocol of programs that it has chosen. */
  readonly dial: () => Promise<UpgradeAnswer & { readonly version: number }>;
}

/** First bytes of messages: whose bytes follow. */
const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;
/** The first byte of the message that says which channel has ended. */
const CLOSE = 255;

/** From which on agents are told sizes of terminals, and tell exit codes. */
const VERSIONS = { sizes: 3, exitCodes: 4 } as const;
/** Of what an agent says when it refuses. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** How long an agent may take to agree to the streams. */
const AGREE_MS = 30_000;
/** How often agents are shown that the client is still there: they end what they take for idle. */
const PING_MS = 5_000;

/**
 * Runs a program on a node for a client that speaks of its streams as channels of a WebSocket: each becomes a stream of
 * SPDY. The client gets to know how it ended in the channel of errors; then the WebSocket is to be closed. Never fails.
 */
export async function runProgram(
  webSocket: WebSocket,
  wanted: ProgramStreams,
  parts: ProgramParts,
): Promise<Outcome> {
  // Nothing is read before there is somebody to pass it on to.
  webSocket.pause();
  // Clients wait for a first message.
  const first = wanted.stdout ? 'stdout' : wanted.stderr ? 'stderr' : 'error';
  webSocket.send(message(first, Buffer.alloc(0)));
  const outcome = await outcomeOfProgram(webSocket, wanted, parts);
  webSocket.send(message('error', Buffer.from(JSON.stringify(outcome))), () => undefined);
  // What the client still sends is read, so that its agreement to the end is.
  webSocket.resume();
  return outcome;
}

async function outcomeOfProgram(
  webSocket: WebSocket,
  wanted: ProgramStreams,
  { clock, dial }: ProgramParts,
): Promise<Outcome> {
  try {
    const { answer, agreed, version } = await dial();
    if (agreed === undefined) return refusalOf(await wordsOf(answer));
    const session = new SpdySession(agreed.socket, agreed.head);
    const stopPings = repeat(clock, () => session.ping());
    webSocket.once('close', () => session.close());
    if (webSocket.readyState !== webSocket.OPEN) session.close();
    try {
      const program = new Program(session, { ...wanted, sizes: version >= VERSIONS.sizes }, (from, chunk) =>
        send(webSocket, session, message(from, chunk)),
      );
      await withDeadline(clock, AGREE_MS, () => program.agreed);
      passInput(webSocket, session, program);
      const { words, lost } = await program.ended;
      if (lost && words === '') return failure('the connection to the node agent was lost');
      return outcomeOf(words, version >= VERSIONS.exitCodes);
    } finally {
      stopPings();
      session.close();
    }
  } catch (error) {
    return failure(`error dialing backend: ${reasonOf(error)}`);
  }
}

/** What an agent says that doesn't agree. */
function wordsOf(answer: IncomingMessage): Promise<string> {
  return readBounded(answer, MAX_REFUSAL_BYTES).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  );
}

/** Once the client has more to take than it should, nothing more is read for it. */
function send(webSocket: WebSocket, session: SpdySession, bytes: Buffer): void {
  webSocket.send(bytes, () => webSocket.bufferedAmount === 0 && session.resume());
  if (webSocket.bufferedAmount > LIMITS.streamQueueBytes) session.pause();
}

function passInput(webSocket: WebSocket, session: SpdySession, program: Program): void {
  session.onDrain(() => webSocket.resume());
  const inputs = new Map([
    [CHANNELS.stdin, program.stdin],
    [CHANNELS.resize, program.resize],
  ] as const);
  const inputOf = (channel: number | undefined) =>
    channel === CHANNELS.stdin || channel === CHANNELS.resize ? inputs.get(channel) : undefined;
  webSocket.on('message', (bytes: Buffer) => {
    const [channel, closed] = bytes;
    if (channel !== CLOSE) {
      const takesMore = inputOf(channel)?.write(bytes.subarray(1)) ?? true;
      if (!takesMore) webSocket.pause();
    } else if (bytes.length !== 2 || (closed ?? CLOSE) > CHANNELS.resize) close(webSocket, 'protocolError');
    else inputOf(closed)?.end();
  });
  webSocket.resume();
}

function message(channel: keyof typeof CHANNELS, bytes: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(bytes.length + 1);
  whole[0] = CHANNELS[channel];
  bytes.copy(whole, 1);
  return whole;
}

/** @returns what ends it. */
function repeat(clock: Clock, act: () => void): () => void {
  let cancel = (): void => undefined;
  const wait = (): void => {
    cancel = clock.after(PING_MS, () => {
      act();
      wait();
    });
  };
  wait();
  return () => cancel();
}
