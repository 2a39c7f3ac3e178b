import { SelectorError } from './selector-error.ts';

/** One demand on a field's value. */
export interface FieldRequirement {
  /** Path such as `spec.nodeName`. */
  readonly field: string;
  readonly equals: boolean;
  readonly value: string;
}

/** Demands that an object's fields must all meet. */
export class FieldSelector {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  /** Whether any object will do. */
  get matchesAll(): boolean {
    return this.requirements.length === 0;
  }

  /** @param valueOf gives a field's value by its path; '' when unset. */
  matches(valueOf: (field: string) => string): boolean {
    for (const { field, equals, value } of this.requirements) {
      if ((valueOf(field) === value) !== equals) return false;
    }
    return true;
  }

  /** The value that is demanded of a field, if one is. */
  demanded(field: string): string | undefined {
    return this.requirements.find((term) => term.equals && term.field === field)?.value;
  }
}

/** Selects everything. */
export const ALL_FIELDS = new FieldSelector([]);

/**
 * Reads a selector such as `metadata.name=web,spec.nodeName!=`; commas, equal signs and backslashes in values are
 * escaped by a backslash. The empty text selects everything.
 *
 * @param selectable the paths that the resource can be selected by.
 * @throws SelectorError saying what is wrong.
 */
export function parseFieldSelector(text: string, selectable: readonly string[]): FieldSelector {
  const requirements = parseFieldRequirements(text);
  for (const { field } of requirements) {
    if (!selectable.includes(field)) throw new SelectorError(`field label not supported: ${field}`);
  }
  return requirements.length === 0 ? ALL_FIELDS : new FieldSelector(requirements);
}

/** What a selector demands, whatever fields there are. @throws SelectorError saying what is wrong. */
export function parseFieldRequirements(text: string): FieldRequirement[] {
  return splitTerms(text).map(parseTerm);
}

/** Cuts at commas that no backslash stands before; empty terms count for nothing. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms.filter((term) => term !== '');
}

function parseTerm(term: string): FieldRequirement {
  for (let i = 0; i < term.length; i++) {
    if (term[i] === '\\') i++;
    else if (term.startsWith('!=', i)) return makeTerm(term, i, 2, false);
    else if (term.startsWith('==', i)) return makeTerm(term, i, 2, true);
    else if (term[i] === '=') return makeTerm(term, i, 1, true);
  }
  throw new SelectorError(`the field selector is not valid: no operator in ${JSON.stringify(term)}`);
}

function makeTerm(term: string, at: number, length: number, equals: boolean): FieldRequirement {
  return { field: term.slice(0, at), equals, value: unescape(term.slice(at + length)) };
}

function unescape(value: string): string {
  if (!/[\\,=]/.test(value)) return value;
  let out = '';
  for (let i = 0; i < value.length; i++) {
    const escaped = value[i] === '\\';
    if (escaped) i++;
    const c = value[i] ?? '';
    if (escaped !== (c === '\\' || c === ',' || c === '=')) {
      throw new SelectorError(
        `the field selector is not valid: in the value ${JSON.stringify(value)} a backslash may stand before '\\', ',' and '=' only, and must`,
      );
    }
    out += c;
  }
  return out;
}
