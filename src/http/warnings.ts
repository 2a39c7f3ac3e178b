const MAX_WARNINGS = 100;
const MAX_TOTAL_LENGTH = 4096;
const MAX_EACH_LENGTH = 256;

/**
 * The `Warning` headers of one answer: equal texts once, at most 100; where their sum passes 4,096 characters each is cut to
 * 256, and the rest is dropped (RFC 7234 section 5.5).
 */
export class Warnings {
  readonly #texts = new Set<string>();

  add(text: string): void {
    const clean = printable(text);
    if (clean !== '' && this.#texts.size < MAX_WARNINGS) this.#texts.add(clean);
  }

  /** Header values, UTF-8 as the octets that a header carries. */
  headers(): string[] {
    const total = [...this.#texts].reduce((sum, text) => sum + text.length, 0);
    const out: string[] = [];
    let used = 0;
    for (const whole of this.#texts) {
      const text = total > MAX_TOTAL_LENGTH ? whole.slice(0, MAX_EACH_LENGTH) : whole;
      used += text.length;
      if (used > MAX_TOTAL_LENGTH) break;
      const quoted = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
      out.push(`299 - "${Buffer.from(quoted).toString('latin1')}"`);
    }
    return out;
  }
}

/** Control characters, line ends among them, become spaces: they would end the header. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what it is about
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}
