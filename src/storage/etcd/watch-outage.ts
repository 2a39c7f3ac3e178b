import type { Clock } from '../../lib/clock.ts';
import type { EtcdLog } from './options.ts';

/**
 * Tells of the watches of a store that are cut: once when the first is, however many follow and however often each is
 * tried again, and once when all are back.
 */
export class WatchOutage {
  readonly #log: EtcdLog;
  readonly #clock: Clock;
  /** Those without a stream. */
  readonly #cut = new Set<object>();
  #since = 0;
  #watches = 0;
  #attempts = 0;

  constructor(log: EtcdLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** A stream of a watch ended, or could not be opened. */
  cut(watch: object, fields: Readonly<Record<string, unknown>>): void {
    if (this.#cut.size === 0) {
      this.#since = this.#clock.monotonic();
      this.#watches = 0;
      this.#attempts = 0;
      this.#log('warn', 'an etcd watch was cut, and is being resumed', fields);
    }
    this.#attempts++;
    if (this.#cut.has(watch)) return;
    this.#watches++;
    this.#cut.add(watch);
  }

  /** The watch has a stream again. */
  resumed(watch: object): void {
    if (!this.#cut.delete(watch) || this.#cut.size > 0) return;
    const seconds = Math.round((this.#clock.monotonic() - this.#since) / 100) / 10;
    this.#log('info', 'the etcd watches have resumed', {
      watches: this.#watches,
      attempts: this.#attempts,
      seconds,
    });
  }

  /** The watch is not wanted any more. */
  forget(watch: object): void {
    this.#cut.delete(watch);
  }
}
