import { labelValueProblems, qualifiedNameProblems } from './names.ts';
import type { Json, JsonObject } from './object.ts';
import { SelectorError } from './selector-error.ts';

export type Labels = Readonly<Record<string, string>>;

export type LabelOperator = 'in' | 'notin' | 'exists' | 'notexists' | 'gt' | 'lt';

/** One demand on labels; equality is `in` with one value. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** Demands that labels must all meet. */
export class LabelSelector {
  readonly requirements: readonly LabelRequirement[];

  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements;
  }

  /** Whether any labels will do. */
  get matchesAll(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Labels | undefined): boolean {
    for (let i = 0; i < this.requirements.length; i++) {
      if (!meets(this.requirements[i] as LabelRequirement, labels)) return false;
    }
    return true;
  }
}

function meets({ key, operator, values }: LabelRequirement, labels: Labels | undefined): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'in':
      return value !== undefined && (values.length === 1 ? values[0] === value : values.includes(value));
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'notexists':
      return value === undefined;
    case 'gt':
    case 'lt':
      return value !== undefined && compareIntegers(value, values[0] ?? '', operator === 'gt');
  }
}

const INTEGER = /^[+-]?\d{1,19}$/;

function compareIntegers(value: string, bound: string, greater: boolean): boolean {
  if (!INTEGER.test(value)) return false;
  return greater ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}

/** Selects everything. */
export const ALL_LABELS = new LabelSelector([]);

/**
 * Reads a selector such as `app=web,tier in (front,back),!canary`. The empty text selects everything.
 *
 * @throws SelectorError saying what is wrong.
 */
export function parseLabelSelector(text: string): LabelSelector {
  if (text === '') return ALL_LABELS;
  return new LabelSelector(new SelectorParser(text).parse());
}

const OBJECT_OPERATORS: ReadonlyMap<Json | undefined, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', 'notexists'],
]);

/**
 * The selector of a `LabelSelector` object (`matchLabels`, `matchExpressions`), as decoded. An empty object selects
 * everything; an absent one nothing, which the caller decides.
 *
 * @throws SelectorError for operators, keys and values that make no sense.
 */
export function labelSelectorOf(object: JsonObject): LabelSelector {
  const { matchLabels, matchExpressions } = object as LabelSelectorObject;
  const requirements: LabelRequirement[] = [];
  for (const key in matchLabels) requirements.push(requirement(key, 'in', [matchLabels[key] ?? '']));
  for (const { key = '', operator = '', values = [] } of matchExpressions ?? []) {
    const known = OBJECT_OPERATORS.get(operator);
    if (known === undefined) {
      throw new SelectorError(`${JSON.stringify(operator)} is not an operator of label selectors`);
    }
    const wantsValues = known === 'in' || known === 'notin';
    if (wantsValues !== values.length > 0) {
      throw new SelectorError(`the operator ${operator} ${wantsValues ? 'needs' : 'takes no'} values`);
    }
    requirements.push(requirement(key, known, values));
  }
  return requirements.length === 0 ? ALL_LABELS : new LabelSelector(requirements);
}

/** As decoded. */
interface LabelSelectorObject {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key?: string;
    readonly operator?: string;
    readonly values?: readonly string[];
  }[];
}

function requirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  checkKey(key);
  for (const value of values) {
    const [problem] = labelValueProblems(value);
    if (problem !== undefined) throw new SelectorError(`the label value ${JSON.stringify(value)} ${problem}`);
  }
  if ((operator === 'gt' || operator === 'lt') && !isInt64(values[0] ?? '')) {
    throw new SelectorError(
      `a label can be compared with an integer only, not with ${JSON.stringify(values[0])}`,
    );
  }
  return { key, operator, values };
}

function checkKey(key: string): void {
  const [problem] = qualifiedNameProblems(key);
  if (problem !== undefined)
    throw new SelectorError(`the label key ${JSON.stringify(key)} is not valid: ${problem}`);
}

function isInt64(text: string): boolean {
  return INTEGER.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** `word` is a key, a value, or a keyword where one may stand; `end` is the end of the text. */
type TokenKind = 'word' | 'end' | '!' | '(' | ')' | ',' | '=' | '==' | '!=' | '<' | '>';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const TOKEN = /\s*(?:([^\s=!(),<>]+)|(==|!=|[=!(),<>]))/y;

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['=', 'in'],
  ['==', 'in'],
  ['!=', 'notin'],
  ['in', 'in'],
  ['notin', 'notin'],
  ['>', 'gt'],
  ['<', 'lt'],
]);

class SelectorParser {
  readonly #text: string;
  #at = 0;
  #next: Token;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#scan();
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#next.kind === 'end') return requirements;
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',') this.#fail(separator, "',' or the end");
      if (this.#next.kind !== 'word' && this.#next.kind !== '!') this.#fail(this.#next, "a key after ','");
    }
  }

  #requirement(): LabelRequirement {
    const absent = this.#next.kind === '!';
    if (absent) this.#take();
    const key = this.#take();
    if (key.kind !== 'word') this.#fail(key, "'!' or a key");
    if (absent) return requirement(key.text, 'notexists', []);
    checkKey(key.text);
    if (this.#next.kind === 'end' || this.#next.kind === ',') return requirement(key.text, 'exists', []);
    const symbol = this.#take();
    const operator = OPERATORS.get(symbol.text);
    if (operator === undefined) this.#fail(symbol, "one of 'in', 'notin', '=', '==', '!=', '<', '>'");
    const listed = symbol.kind === 'word';
    return requirement(key.text, operator, listed ? this.#valueList() : [this.#value()]);
  }

  /** A value, or nothing, which is the empty one. */
  #value(): string {
    if (this.#next.kind === 'end' || this.#next.kind === ',') return '';
    const value = this.#take();
    if (value.kind !== 'word') this.#fail(value, 'a value');
    return value.text;
  }

  /** `(a,b)`; a place without a value holds the empty one. */
  #valueList(): string[] {
    const open = this.#take();
    if (open.kind !== '(') this.#fail(open, "'('");
    const values = new Set<string>();
    let expectsValue = true;
    for (;;) {
      const token = this.#take();
      if (token.kind === 'word' && expectsValue) {
        values.add(token.text);
        expectsValue = false;
      } else if (token.kind === ',' || token.kind === ')') {
        if (expectsValue) values.add('');
        if (token.kind === ')') return [...values];
        expectsValue = true;
      } else this.#fail(token, "',', ')' or a value");
    }
  }

  #take(): Token {
    const token = this.#next;
    if (token.kind !== 'end') this.#next = this.#scan();
    return token;
  }

  #scan(): Token {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    if (match === null) {
      this.#at = this.#text.length;
      return { kind: 'end', text: '' };
    }
    this.#at = TOKEN.lastIndex;
    const [, word, symbol] = match;
    return word === undefined
      ? { kind: symbol as TokenKind, text: symbol ?? '' }
      : { kind: 'word', text: word };
  }

  #fail(token: Token, expected: string): never {
    const found = token.kind === 'end' ? 'its end' : `'${token.text}'`;
    throw new SelectorError(`the label selector is not valid: found ${found} where ${expected} is expected`);
  }
}
