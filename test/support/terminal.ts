import type { Input, Output } from '../../src/cli/ctl/output.ts';

/** What a command has written. */
export class Collected implements Output {
  text = '';
  readonly columns = undefined;
  readonly isTerminal: boolean;

  constructor(terminal = false) {
    this.isTerminal = terminal;
  }

  write(text: string | Uint8Array): Promise<void> {
    this.text += typeof text === 'string' ? text : Buffer.from(text).toString();
    return Promise.resolve();
  }
}

/** A text to read from. */
export function given(text: string): Input {
  return {
    isTerminal: false,
    text: () => Promise.resolve(text),
    async *chunks() {
      await Promise.resolve();
      yield Buffer.from(text);
    },
  };
}
