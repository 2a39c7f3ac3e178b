const MAX_WARNINGS = 100;
const MAX_TOTAL_LENGTH = 4096;
const MAX_EACH_LENGTH = 256;

/**
 * The `Warning` headers of one answer: equal texts once, at most 100. Where they have more than 4,096 characters together,
 * each is cut to 256, and of those only as many are sent as it takes to come to 4,096 (RFC 7234 section 5.5).
 */
export class Warnings {
  readonly #texts = new Set<string>();

  add(text: string): void {
    const clean = printable(text);
    if (clean !== '' && this.#texts.size < MAX_WARNINGS) this.#texts.add(clean);
  }

  /** Header values, UTF-8 as the octets that a header carries. */
  headers(): string[] {
    let total = 0;
    for (const text of this.#texts) total += lengthOf(text);
    const out: string[] = [];
    let used = 0;
    for (const whole of this.#texts) {
      if (used >= MAX_TOTAL_LENGTH) break;
      const text = total > MAX_TOTAL_LENGTH ? cut(whole) : whole;
      used += lengthOf(text);
      const quoted = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
      out.push(`299 - "${Buffer.from(quoted).toString('latin1')}"`);
    }
    return out;
  }
}

/** In characters, of which some are two to JavaScript. */
function lengthOf(text: string): number {
  return text.length - (text.match(PAIRS)?.length ?? 0);
}

const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

function cut(text: string): string {
  return lengthOf(text) <= MAX_EACH_LENGTH ? text : [...text].slice(0, MAX_EACH_LENGTH).join('');
}

/** Control characters, line ends among them, become spaces: they would end the header. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what it is about
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}
