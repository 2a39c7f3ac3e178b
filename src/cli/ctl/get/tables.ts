import type { ApiResource } from '../api/resource.ts';
import { qualifiedKind } from '../api/resource.ts';
import { isNotFound, throwCollected } from '../errors.ts';
import { bold, wantsColor } from '../print/color.ts';
import { ColumnWriter } from '../print/columns.ts';
import { sortBy } from '../print/sort-by.ts';
import { plainTable, TableRows, type Table, type TableOptions } from '../print/table.ts';
import { readPages, type Page } from '../resources/read-objects.ts';
import type { Target } from '../resources/arguments.ts';
import { tableAccept, type GetRequest } from './request.ts';

export type TableStyle = Omit<TableOptions, 'withNamespace' | 'kind'> & { readonly showKind: boolean };

/**
 * Shows targets as the server's tables. A collection is written as its pages come; several targets are read first, since
 * what they are told apart by depends on what there is.
 *
 * @throws what went wrong with some of them, when the others are shown.
 */
export async function getTables(request: GetRequest, style: TableStyle): Promise<void> {
  const errors: unknown[] = [...request.mistakes];
  const writer = new TablesWriter(request, style);
  const { targets } = request.named;
  if (targets.length === 1) {
    await collecting(request, errors, async () => {
      for await (const page of tablePages(request, targets[0] as Target)) await writer.page(page, false);
    });
  } else {
    const pages: Page[] = [];
    for (const target of targets) {
      await collecting(request, errors, async () => {
        for await (const page of tablePages(request, target)) pages.push(page);
      });
    }
    await writer.groups(pages);
  }
  if (!writer.wroteAnything && !request.ignoreNotFound && errors.length === 0)
    await tellOfNothing(request, writer);
  throwCollected(errors);
}

async function collecting(request: GetRequest, errors: unknown[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (request.context.signal.aborted) throw error;
    if (!(request.ignoreNotFound && isNotFound(error))) errors.push(error);
  }
}

/** Reads a target as Tables. */
export async function* tablePages(request: GetRequest, target: Target): AsyncGenerator<Page> {
  const accept = tableAccept(await request.context.names());
  const query = request.sortBy === '' ? {} : { query: { includeObject: 'Object' } };
  yield* readPages(target, { ...request.read, accept, ...query });
}

async function tellOfNothing({ context, read }: GetRequest, writer: TablesWriter): Promise<void> {
  const where =
    read.namespace !== undefined && writer.allNamespaced ? ` in ${read.namespace} namespace.` : '';
  await context.stderr.write(`No resources found${where}\n`);
}

/** The Table of an answer; made here where the server made none. */
export function tableOf({ body }: Pick<Page, 'body'>): Table {
  return body['kind'] === 'Table' ? body : plainTable(body, Date.now());
}

/** Writes tables, one group of rows for each resource. */
export class TablesWriter {
  readonly #request: GetRequest;
  readonly #style: TableStyle;
  #columns = new ColumnWriter();
  #rows: TableRows | undefined;
  #resource: ApiResource | undefined;
  wroteAnything = false;
  allNamespaced = true;

  constructor(request: GetRequest, style: TableStyle) {
    this.#request = request;
    this.#style = style;
  }

  /** Writes one answer, below those before. @param withKind whether names must tell their kind. */
  async page(page: Page, withKind: boolean, event?: string): Promise<void> {
    const { rows, headers } = this.#format(page, withKind, event);
    await this.#write(headers, rows);
  }

  /** Writes all pages of several targets, each resource with its headers and widths. */
  async groups(pages: readonly Page[]): Promise<void> {
    const withKind = new Set(pages.map(({ resource }) => resource)).size > 1;
    let from = 0;
    while (from < pages.length) {
      const { resource } = pages[from] as Page;
      let to = from;
      while (pages[to]?.resource === resource) to++;
      const formatted = pages.slice(from, to).map((page) => this.#format(page, withKind));
      const rows = formatted.flatMap((one) => one.rows);
      if (rows.length > 0 && this.wroteAnything && !this.#style.noHeaders) await this.#put('\n');
      await this.#write(formatted.find(({ headers }) => headers !== undefined)?.headers, rows);
      from = to;
    }
  }

  #format(
    page: Page,
    withKind: boolean,
    event?: string,
  ): { readonly headers: string[] | undefined; readonly rows: string[][] } {
    const { resource } = page;
    this.allNamespaced &&= resource.namespaced;
    if (resource !== this.#resource || this.#rows === undefined) {
      this.#resource = resource;
      this.#columns = new ColumnWriter();
      this.#rows = new TableRows({
        ...this.#style,
        withNamespace: this.#request.allNamespaces && resource.namespaced,
        kind: withKind || this.#style.showKind ? qualifiedKind(resource) : undefined,
      });
    }
    return this.#rows.rows(this.#sorted(tableOf(page)), event);
  }

  #sorted(table: Table): Table {
    if (this.#request.sortBy === '' || table.rows === undefined) return table;
    return { ...table, rows: sortBy(this.#request.sortBy, table.rows, ({ object }) => object ?? {}) };
  }

  async #write(headers: string[] | undefined, rows: readonly string[][]): Promise<void> {
    const { stdout, env } = this.#request.context;
    const text = this.#columns.lines(headers === undefined ? rows : [headers, ...rows]);
    if (text === '') return;
    const color = wantsColor(stdout, env);
    const end = headers === undefined ? 0 : text.indexOf('\n');
    await this.#put(end > 0 ? bold(text.slice(0, end), color) + text.slice(end) : text);
  }

  async #put(text: string): Promise<void> {
    this.wroteAnything = true;
    await this.#request.context.stdout.write(text);
  }
}
