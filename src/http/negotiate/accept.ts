/** One clause of an `Accept` header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly q: number;
  readonly params: ReadonlyMap<string, string>;
}

const NO_PARAMS: ReadonlyMap<string, string> = new Map();

/**
 * Reads an `Accept` header, most wanted clause first (RFC 9110 section 12.5.1): by q, then concrete types before
 * wildcards, else in the order sent. Clauses that are no media range are left out.
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const text of header.split(',')) {
    const clause = parseClause(text);
    if (clause !== undefined) clauses.push(clause);
  }
  return clauses.sort((a, b) => b.q - a.q || wildness(a) - wildness(b));
}

function wildness(clause: AcceptClause): number {
  return clause.type === '*' ? 2 : clause.subtype === '*' ? 1 : 0;
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...rest] = text.split(';');
  const [type = '', subtype = type.trim() === '*' ? '*' : '', ...more] = range.split('/');
  if (subtype.trim() === '' || more.length > 0) return undefined;
  let q = 1;
  const params = new Map<string, string>();
  for (const param of rest) {
    const equals = param.indexOf('=');
    const value = param.slice(equals + 1).trim();
    if (equals < 0 || value === '' || value.includes('=')) continue;
    const name = param.slice(0, equals).trim();
    if (name === 'q') q = quality(value);
    else params.set(name, value);
  }
  return { type: type.trim(), subtype: subtype.trim(), q, params: params.size === 0 ? NO_PARAMS : params };
}

function quality(text: string): number {
  const q = Number(text);
  return Number.isFinite(q) ? q : 0;
}

/** The media types of a header without their parameters, in the order sent. */
export function mediaTypesOf(header: string): string[] {
  return header.split(',').map((part) => {
    const semicolon = part.indexOf(';');
    return (semicolon < 0 ? part : part.slice(0, semicolon)).trim();
  });
}
