import type { Json, JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';
import { goText } from './go-text.ts';
import { printJson } from './json.ts';
import { compactJson } from './json-text.ts';
import { evaluate } from './jsonpath/evaluate.ts';
import { parseTemplate } from './jsonpath/parse.ts';
import { JsonPathError, type Template } from './jsonpath/template.ts';
import type { Printer } from './printer.ts';

export interface JsonPathPrinterOptions {
  /** Everything found as a JSON array. */
  readonly asJson: boolean;
  readonly allowMissing: boolean;
}

/** `-o jsonpath=…`: what a template finds, without a line end of its own. */
export class JsonPathPrinter implements Printer {
  readonly #text: string;
  readonly #template: Template;
  readonly #options: JsonPathPrinterOptions;

  /** @throws CtlError for a template with a mistake. */
  constructor(text: string, options: JsonPathPrinterOptions) {
    this.#text = text;
    this.#options = options;
    this.#template = mistakesTold(`error parsing jsonpath ${text}`, () => parseTemplate(text));
  }

  print(object: JsonObject): string {
    const found = mistakesTold(`error executing jsonpath ${JSON.stringify(this.#text)}`, () =>
      evaluate(this.#template, object, this.#options),
    );
    return found
      .map((values) => (this.#options.asJson ? printJson(values) : values.map(textOf).join(' ')))
      .join('');
  }
}

function textOf(value: Json): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? compactJson(value) : goText(value);
}

function mistakesTold<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new CtlError(`${what}, ${error.message}`, { cause: error });
  }
}
