/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  readonly label: string;
  /** Whether lines of the form `name: value` stand before the data. */
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const BEGIN = /^-----BEGIN ([^-\r\n]*)-----[ \t]*\r?$/gm;
const HEADERS = /^[^:\n]+:[^]*?(?:\r?\n){2}/;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** The blocks of a text in turn; what stands between them, and what is no whole block, is passed over. */
export function* pemBlocks(text: string): Generator<PemBlock, undefined> {
  for (const begin of text.matchAll(BEGIN)) {
    const label = begin[1] ?? '';
    const from = begin.index + begin[0].length;
    // No data hold five dashes: the next ones end the block, or it is none.
    const end = text.indexOf('-----', from);
    if (end < 0) return;
    if (!text.startsWith(`-----END ${label}-----`, end)) continue;
    const inner = text.slice(from, end).trimStart();
    const headers = HEADERS.exec(inner)?.[0] ?? '';
    const data = inner.slice(headers.length);
    if (BASE64.test(data)) yield { label, hasHeaders: headers !== '', bytes: Buffer.from(data, 'base64') };
  }
}

/** The first block of a text. @returns undefined where there is none. */
export function firstPemBlock(text: string): PemBlock | undefined {
  return pemBlocks(text).next().value;
}
