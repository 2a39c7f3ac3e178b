import { asBuffer } from './body.ts';

const NEWLINE = 0x0a;
/** More bytes than any event has. */
const MAX_LINE = 256 << 20;

/** The lines of a body, each as soon as it is complete; what follows the last newline broke off and is left out. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let begun: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const rest = chunk.subarray(from, end);
      const line = begun.length === 0 ? asBuffer(rest) : Buffer.concat([...begun, rest]);
      begun = [];
      size = 0;
      from = end + 1;
      if (line.length > 0) yield line.toString('utf8');
    }
    if (from === chunk.length) continue;
    begun.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > MAX_LINE) throw new Error(`a line is longer than ${MAX_LINE} bytes`);
  }
}
