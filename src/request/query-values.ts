/**
 * Reads a boolean query parameter as the interface's flags are read: absent is false, `0` and `false` are false, and
 * anything else, the empty text included, is true.
 */
export function flagValue(text: string | null): boolean {
  if (text === null) return false;
  const lower = text.toLowerCase();
  return lower !== '0' && lower !== 'false';
}

/** Names that are one path segment: not `.` or `..`, without `/` and `%`. The empty name is none. */
export function isPathSegmentName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('%');
}

/**
 * The value that a field selector demands of a field (`metadata.name=a`, `==` too). The last such term wins; a selector
 * that doesn't parse demands nothing.
 */
export function demandedField(selector: string, field: string): string | undefined {
  let value: string | undefined;
  for (const term of splitTerms(selector)) {
    const parsed = parseTerm(term);
    if (parsed === undefined) return undefined;
    if (parsed.equals && parsed.field === field) value = parsed.value;
  }
  return value;
}

function splitTerms(selector: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < selector.length; i++) {
    const c = selector[i];
    if (c === '\\') i++;
    else if (c === ',') {
      terms.push(selector.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(selector.slice(start));
  return terms.filter((term) => term !== '');
}

function parseTerm(term: string): { field: string; equals: boolean; value: string } | undefined {
  for (let i = 0; i < term.length; i++) {
    if (term[i] === '\\') {
      i++;
      continue;
    }
    if (term.startsWith('!=', i)) return { field: term.slice(0, i), equals: false, value: '' };
    if (term[i] !== '=') continue;
    const value = unescape(term.slice(i + (term[i + 1] === '=' ? 2 : 1)));
    return value === undefined ? undefined : { field: term.slice(0, i), equals: true, value };
  }
  return undefined;
}

/** Takes the backslashes from `\\`, `\,` and `\=`; undefined for any other use of them and for bare `,` and `=`. */
function unescape(text: string): string | undefined {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (c === '=' || c === ',') return undefined;
    if (c !== '\\') {
      out += c;
      continue;
    }
    const next = text[++i];
    if (next !== '\\' && next !== ',' && next !== '=') return undefined;
    out += next;
  }
  return out;
}
