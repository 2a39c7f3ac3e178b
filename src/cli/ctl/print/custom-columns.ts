import type { JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';
import { itemsOf } from '../resources/read-objects.ts';
import { ColumnWriter } from './columns.ts';
import { goText, harmless } from './go-text.ts';
import { evaluate } from './jsonpath/evaluate.ts';
import { parseRelaxedPath } from './jsonpath/parse.ts';
import { JsonPathError, type Template } from './jsonpath/template.ts';
import type { Printer } from './printer.ts';

interface Column {
  readonly header: string;
  readonly path: Template;
}

export interface CustomColumnsOptions {
  /** A line of headers over a line of paths, rather than pairs between commas. */
  readonly fromFile: boolean;
  readonly noHeaders: boolean;
}

/** `-o custom-columns=NAME:.metadata.name,…`. */
export class CustomColumnsPrinter implements Printer {
  readonly #columns: readonly Column[];
  readonly #writer = new ColumnWriter();
  #headed: boolean;

  /** @throws CtlError for columns that make no sense. */
  constructor(spec: string, { fromFile, noHeaders }: CustomColumnsOptions) {
    this.#columns = fromFile ? columnsOfFile(spec) : columnsOf(spec);
    this.#headed = noHeaders;
  }

  print(object: JsonObject): string {
    const rows = itemsOf(object).map((item) => this.#columns.map(({ path }) => cell(path, item)));
    const headers = this.#headed ? [] : [this.#columns.map(({ header }) => header)];
    this.#headed = true;
    return this.#writer.lines([...headers, ...rows]);
  }
}

function columnsOf(spec: string): Column[] {
  return spec.split(',').map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0) {
      throw new CtlError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    }
    return column(part.slice(0, colon), part.slice(colon + 1));
  });
}

function columnsOfFile(text: string): Column[] {
  const [headers, specs] = text.split('\n').map((line) => line.split(/\s+/).filter((word) => word !== ''));
  if (headers === undefined || specs === undefined) {
    throw new CtlError(
      'invalid template, missing spec line. Expected format is one line of space separated headers, one line of space separated column specs.',
    );
  }
  if (headers.length !== specs.length) {
    throw new CtlError(
      `number of headers (${headers.length}) and field specifications (${specs.length}) don't match`,
    );
  }
  return headers.map((header, i) => column(header, specs[i] as string));
}

function column(header: string, path: string): Column {
  try {
    return { header, path: parseRelaxedPath(path) };
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new CtlError(error.message, { cause: error });
  }
}

function cell(path: Template, object: JsonObject): string {
  const found = evaluate(path, object, { allowMissing: true });
  const values = found.flat();
  if (found[0] === undefined || found[0].length === 0) return ['<none>', ...values.map(textOf)].join(',');
  return values.map(textOf).join(',');
}

function textOf(value: Parameters<typeof goText>[0]): string {
  return harmless(goText(value));
}
