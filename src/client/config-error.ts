/** What is wrong with a client's configuration, in one sentence, and what may help. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** What to do next. */
  readonly hint: string | undefined;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
  }
}
