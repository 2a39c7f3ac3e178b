const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/**
 * A text that compares (`<`, by UTF-16 units) as `text` does by its UTF-8 bytes, the order of stores. The same text but
 * where it has characters from U+D800 on, and reversible by nobody: keep the original beside it.
 */
export function utf8SortKey(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) >= FIRST_SURROGATE) return reorder(text, i);
  }
  return text;
}

/** Units above the surrogates go below them, so that pairs (U+10000 and up) are the greatest. */
function reorder(text: string, from: number): string {
  let key = text.slice(0, from);
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const moved = unit > LAST_SURROGATE ? unit - 0x800 : unit >= FIRST_SURROGATE ? unit + 0x2000 : unit;
    key += String.fromCharCode(moved);
  }
  return key;
}
