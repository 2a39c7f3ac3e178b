import { ApiError } from '../../errors/api-error.ts';
import type { CoarseTimer, TimedTask, TimerSlot } from '../../lib/coarse-timer.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { WatchResult } from '../../verbs/result.ts';
import type { Exchange } from '../exchange.ts';
import type { FormSources } from '../respond/forms.ts';
import type { AnswerStyle } from '../respond/responder.ts';
import type { WebSocketAcceptor } from '../websocket/acceptor.ts';
import { inMessages } from '../websocket/messages.ts';
import { asksForWebSocket } from '../websocket/request.ts';
import type { BookmarkNames } from './bookmarks.ts';
import { FrameEncoder, type FrameParts } from './frames.ts';
import { WatchStream, type StreamTools } from './stream.ts';

/** How often a quiet watch is told how far it has got. */
const BOOKMARK_MS = 60_000;
/** How long before its end a watch gets its last bookmark. */
const LAST_BOOKMARK_MS = 2_000;

/** What a {@link WatchServer} is made of. */
export interface WatchServerParts {
  readonly sources: FormSources;
  readonly names: BookmarkNames;
  readonly timer: CoarseTimer;
  readonly tools: StreamTools;
  readonly webSockets: Pick<WebSocketAcceptor, 'check' | 'accept'>;
}

/** Runs the watches of a gateway. */
export class WatchServer {
  readonly #frameParts: FrameParts;
  readonly #timer: CoarseTimer;
  readonly #tools: StreamTools;
  readonly #webSockets: WatchServerParts['webSockets'];
  readonly #encoders = new WeakMap<ResourceDefinition, Map<string, FrameEncoder>>();
  readonly #lives = new Set<WatchLife>();

  constructor(parts: WatchServerParts) {
    const { scheduler } = parts.tools;
    this.#frameParts = { sources: parts.sources, names: parts.names, turn: () => scheduler.turn };
    this.#timer = parts.timer;
    this.#tools = parts.tools;
    this.#webSockets = parts.webSockets;
  }

  /** Watches in progress. */
  get size(): number {
    return this.#lives.size;
  }

  /**
   * Starts a watch: subscribes, then sends the head or opens the WebSocket that was asked for, then sends what is
   * delivered. @throws what subscribing throws; that a version is gone, or doesn't come, is told as an event of the
   * stream, as clients expect it.
   */
  async serve(exchange: Exchange, style: AnswerStyle, result: WatchResult): Promise<void> {
    const webSocket = asksForWebSocket(exchange.source.headers);
    const encoder = this.#encoder(result.resource, style, webSocket);
    if (webSocket) await this.#webSockets.check(exchange);
    const begin = (): void => {
      if (exchange.reply.started) return;
      if (webSocket) this.#webSockets.accept(exchange);
      else exchange.sendHead(200, { 'content-type': streamType(style) });
      exchange.reply.flush();
    };
    const start = { endBookmark: result.initialEventsBookmark, begin };
    const stream = new WatchStream(exchange, encoder, start, this.#tools);
    const life = new WatchLife(stream, result, this.#timer);
    this.#lives.add(life);
    exchange.atEnd(() => {
      life.stop();
      this.#lives.delete(life);
    });
    try {
      stream.open(await result.subscribe(stream));
    } catch (error) {
      if (stream.over || !isAboutVersion(error)) throw error;
      stream.open(undefined);
      stream.end(error);
    }
  }

  /** Ends all watches in order, so that their clients resume elsewhere, from as late as possible. */
  endAll(): void {
    for (const life of this.#lives) life.end();
  }

  #encoder(resource: ResourceDefinition, style: AnswerStyle, webSocket: boolean): FrameEncoder {
    const { encoding, transform } = style.negotiated;
    const form = transform === undefined ? '' : `${transform.kind} ${transform.version} ${style.include}`;
    const key = `${encoding.mediaType} ${form} ${webSocket}`;
    let encoders = this.#encoders.get(resource);
    if (encoders === undefined) this.#encoders.set(resource, (encoders = new Map<string, FrameEncoder>()));
    let encoder = encoders.get(key);
    if (encoder === undefined) {
      const choice = {
        format: webSocket ? inMessages(encoding.format) : encoding.format,
        include: style.include,
        ...(transform === undefined ? {} : { transform }),
      };
      encoder = new FrameEncoder(resource, choice, this.#frameParts);
      encoders.set(key, encoder);
    }
    return encoder;
  }
}

function isAboutVersion(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.reason === 'Expired' || error.reason === 'Timeout');
}

function streamType({ negotiated: { encoding } }: AnswerStyle): string {
  return encoding.streamMediaType ?? encoding.mediaType;
}

/** The times of one watch: its bookmarks, its end, and looks at whether its client still reads. */
class WatchLife implements TimedTask {
  readonly #stream: WatchStream;
  readonly #bookmarks: boolean;
  readonly #timer: CoarseTimer;
  #leftMs: number;
  #stepMs = 0;
  #slot: TimerSlot | undefined;

  constructor(stream: WatchStream, result: WatchResult, timer: CoarseTimer) {
    this.#stream = stream;
    this.#bookmarks = result.bookmarks;
    this.#timer = timer;
    this.#leftMs = result.timeoutSeconds * 1000;
    this.#wait();
  }

  due(): void {
    this.#slot = undefined;
    this.#leftMs -= this.#stepMs;
    if (!this.#stream.checkProgress()) return;
    if (this.#leftMs <= 0) {
      this.#stream.finish();
      return;
    }
    if (this.#bookmarks) this.#stream.bookmark();
    this.#wait();
  }

  /** Ends the watch before its time. */
  end(): void {
    if (this.#bookmarks) this.#stream.bookmark();
    this.#stream.finish();
  }

  stop(): void {
    if (this.#slot !== undefined) this.#timer.cancel(this.#slot, this);
  }

  #wait(): void {
    const beforeEnd = this.#leftMs - LAST_BOOKMARK_MS;
    this.#stepMs = beforeEnd > 0 ? Math.min(BOOKMARK_MS, beforeEnd) : this.#leftMs;
    this.#slot = this.#timer.schedule(this.#stepMs, this);
  }
}
