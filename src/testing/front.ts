import { Listener, type ListenerOptions } from '../http/server/listener.ts';
import type { Serve } from '../http/serve.ts';

const LOOPBACK = '127.0.0.1';

/**
 * The port of a control plane. It stays, with its connections, while the server behind it is replaced: what is asked
 * meanwhile waits for the new one.
 */
export class Front {
  #listener: Listener | undefined;
  #port = 0;
  #serve: Serve | undefined;
  #waiting: (() => void)[] = [];

  /** Passes on what comes from now on, and what has waited. @returns the port, a free one the first time. */
  async open(serve: Serve, options: ListenerOptions): Promise<number> {
    if (this.#listener === undefined) {
      this.#listener = new Listener(options, (source, onClosed) => this.#take(source, onClosed));
      this.#port = (await this.#listener.listen(0, LOOPBACK)).port;
    }
    this.#serve = serve;
    for (const pass of this.#waiting.splice(0)) pass();
    return this.#port;
  }

  /** Lets what comes wait until {@link open} is called again. */
  hold(): void {
    this.#serve = undefined;
  }

  /** Cuts every connection and gives the port back. */
  async close(): Promise<void> {
    const closed = this.#listener?.stop();
    this.#listener?.destroy();
    await closed;
  }

  #take(...[source, onClosed]: Parameters<Serve>): void {
    if (this.#serve !== undefined) {
      this.#serve(source, onClosed);
      return;
    }
    // The client may be gone before there is anybody to tell.
    let closed = false;
    const callbacks: (() => void)[] = [];
    onClosed(() => {
      closed = true;
      for (const callback of callbacks) callback();
    });
    this.#waiting.push(() => {
      if (closed) source.release();
      else this.#take(source, (callback) => callbacks.push(callback));
    });
  }
}
