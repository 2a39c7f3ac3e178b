import type { Http2Session } from 'node:http2';
import type { ConnectionLimits } from '../limits.ts';

interface SessionUse {
  streams: number;
  /** Whether anything was ever asked on it. */
  used: boolean;
  /** Whether it fell silent while a stream was open: its timer has run out. */
  silent: boolean;
}

/** The HTTP/2 connections of a gateway: closes those that nothing happens on. */
export class Sessions {
  readonly #limits: ConnectionLimits;
  readonly #sessions = new Map<Http2Session, SessionUse>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Takes up a new connection. One that never asks anything goes sooner than one that pauses. */
  add(session: Http2Session): void {
    const use: SessionUse = { streams: 0, used: false, silent: false };
    this.#sessions.set(session, use);
    session.once('close', () => this.#sessions.delete(session));
    session.on('timeout', () => {
      if (use.streams === 0) session.close();
      else use.silent = true;
    });
    session.setTimeout(this.#limits.headersMs);
  }

  /** A stream opens. @returns what to call when it is over. */
  enter(session: Http2Session): () => void {
    const use = this.#sessions.get(session);
    if (use === undefined) return () => undefined;
    use.streams++;
    if (!use.used) {
      use.used = true;
      session.setTimeout(this.#limits.idleMs);
    }
    return () => {
      use.streams--;
      if (use.streams > 0 || !use.silent || session.destroyed) return;
      use.silent = false;
      session.setTimeout(this.#limits.idleMs);
    };
  }

  /** Says goodbye on all connections: what is under way is completed, new requests go elsewhere. */
  retireAll(): void {
    for (const [session, use] of this.#sessions) {
      if (use.streams === 0) endTimer(session);
      session.close();
    }
  }

  /** Cuts all connections. */
  destroyAll(): void {
    for (const session of this.#sessions.keys()) {
      endTimer(session);
      session.destroy();
    }
  }
}

/** To be called before a session ends: Node (24.21) ends its timer only afterwards, when it is too late for that. */
function endTimer(session: Http2Session): void {
  session.setTimeout(0);
}
