import type { Output } from '../output.ts';

/** Whether an output wants colour: a terminal that knows it, of somebody who hasn't asked to be spared. */
export function wantsColor(output: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  return output.isTerminal && env['TERM'] !== 'dumb' && (env['NO_COLOR'] ?? '') === '';
}

/** Emphasised, where that is wanted. */
export function bold(text: string, wanted: boolean): string {
  return wanted ? `\x1b[1m${text}\x1b[22m` : text;
}
