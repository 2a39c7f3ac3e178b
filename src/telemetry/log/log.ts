/** What a log line tells beside its message. Secrets in it are blacked out by the sink. */
export type Fields = Readonly<Record<string, unknown>>;

export type Severity = 'info' | 'warning' | 'error';

/** A line, before it has a form. */
export interface Entry {
  readonly severity: Severity;
  /** Verbosity of an info line. */
  readonly v: number;
  /** The part of the server that tells it. */
  readonly part: string;
  readonly message: string;
  readonly fields: Fields;
}

/** Takes lines to where they are read. Must not throw. */
export type Sink = (entry: Entry) => void;

/**
 * Structured logs. Verbosity is as the interface's users know it: 0 for what an operator must know, 2 for the usual, 4 for
 * debugging, 6 and more for everything.
 */
export interface Log {
  info(message: string, fields?: Fields): void;
  warning(message: string, fields?: Fields): void;
  error(message: string, error?: unknown, fields?: Fields): void;
  /** A line that is made only where it is wanted. */
  v(level: number, make: () => readonly [message: string, fields?: Fields]): void;
  /** Whether lines of a verbosity are wanted. */
  enabled(level: number): boolean;
  /** The log of a part of the server, named for `--vmodule`. */
  part(name: string): Log;
}

export interface LogOptions {
  readonly sink: Sink;
  readonly verbosity: number;
  /** Verbosity of single parts, as `pattern=level`; `*` and `?` are wildcards, the first that matches counts. */
  readonly modules?: readonly string[];
}

/** A log over a sink. */
export function createLog(options: LogOptions): Log {
  const modules = (options.modules ?? []).map((text) => {
    const [pattern = '', level = '0'] = text.split('=');
    const source = pattern
      .replace(/[\\^$.+()|[\]{}]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return { pattern: new RegExp(`^${source}$`), level: Number(level) };
  });
  const verbosityOf = (part: string): number =>
    modules.find(({ pattern }) => pattern.test(part))?.level ?? options.verbosity;
  const make = (part: string): Log => new PartLog(part, verbosityOf(part), options.sink, make);
  return make('');
}

class PartLog implements Log {
  readonly #part: string;
  readonly #verbosity: number;
  readonly #sink: Sink;
  readonly #make: (part: string) => Log;

  constructor(part: string, verbosity: number, sink: Sink, make: (part: string) => Log) {
    this.#part = part;
    this.#verbosity = verbosity;
    this.#sink = sink;
    this.#make = make;
  }

  info(message: string, fields: Fields = {}): void {
    this.#sink({ severity: 'info', v: 0, part: this.#part, message, fields });
  }

  warning(message: string, fields: Fields = {}): void {
    this.#sink({ severity: 'warning', v: 0, part: this.#part, message, fields });
  }

  error(message: string, error?: unknown, fields: Fields = {}): void {
    const all = error === undefined ? fields : { err: error, ...fields };
    this.#sink({ severity: 'error', v: 0, part: this.#part, message, fields: all });
  }

  v(level: number, make: () => readonly [message: string, fields?: Fields]): void {
    if (level > this.#verbosity) return;
    const [message, fields = {}] = make();
    this.#sink({ severity: 'info', v: level, part: this.#part, message, fields });
  }

  enabled(level: number): boolean {
    return level <= this.#verbosity;
  }

  part(name: string): Log {
    return this.#make(name);
  }
}
