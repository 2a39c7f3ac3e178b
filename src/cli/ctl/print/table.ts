import type { Json, JsonObject } from '../../../meta/object.ts';
import { humanDuration } from '../../../lib/human-duration.ts';
import { itemsOf } from '../resources/read-objects.ts';
import { goText } from './go-text.ts';

/** The server's Table, in the parts that are shown. */
export interface Table {
  readonly columnDefinitions?: readonly TableColumn[];
  readonly rows?: readonly TableRow[];
}

export interface TableColumn {
  readonly name: string;
  readonly type?: string;
  readonly format?: string;
  /** Above 0: only shown when there is room for more. */
  readonly priority?: number;
}

export interface TableRow {
  readonly cells?: readonly Json[];
  readonly object?: JsonObject;
}

export interface TableOptions {
  readonly wide: boolean;
  readonly noHeaders: boolean;
  readonly withNamespace: boolean;
  /** Stands before names, as in `pod/x`. */
  readonly kind?: string | undefined;
  /** Labels with a column of their own. */
  readonly labelColumns: readonly string[];
  readonly showLabels: boolean;
}

/** Turns Tables into rows of text; headers come once, and again where the columns change. */
export class TableRows {
  readonly #options: TableOptions;
  #columns: readonly TableColumn[] = [];
  #headed = false;

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** @param event how the rows came about, in a column of its own. */
  rows(table: Table, event?: string): { readonly headers: string[] | undefined; readonly rows: string[][] } {
    const { columnDefinitions = [], rows = [] } = table;
    if (columnDefinitions.length > 0 && !sameColumns(columnDefinitions, this.#columns)) {
      this.#columns = columnDefinitions;
      this.#headed = false;
    }
    const withHeaders = !this.#headed && !this.#options.noHeaders && rows.length > 0;
    if (rows.length > 0) this.#headed = true;
    return {
      headers: withHeaders ? this.#headers(event) : undefined,
      rows: rows.map((row) => this.#row(row, event)),
    };
  }

  #headers(event: string | undefined): string[] {
    const { withNamespace, labelColumns, showLabels } = this.#options;
    return [
      ...(event === undefined ? [] : ['EVENT']),
      ...(withNamespace ? ['NAMESPACE'] : []),
      ...this.#columns.filter((column) => this.#shows(column)).map(({ name }) => name.toUpperCase()),
      ...labelColumns.map((label) => (label.split('/').at(-1) ?? '').toUpperCase()),
      ...(showLabels ? ['LABELS'] : []),
    ];
  }

  #row({ cells = [], object }: TableRow, event: string | undefined): string[] {
    const { withNamespace, labelColumns, showLabels, kind } = this.#options;
    const { namespace = '', labels = {} } = (object?.['metadata'] ?? {}) as {
      namespace?: string;
      labels?: Readonly<Record<string, string>>;
    };
    const row: string[] = [];
    if (event !== undefined) row.push(event.padEnd('MODIFIED'.length));
    if (withNamespace) row.push(namespace);
    const nameAt = kind === undefined ? -1 : this.#columns.findIndex(isName);
    for (const [i, column] of this.#columns.entries()) {
      if (!this.#shows(column)) continue;
      const text = cellText(cells[i] ?? null);
      row.push(i === nameAt ? `${kind}/${text}` : text);
    }
    for (const label of labelColumns) row.push(labels[label] ?? '');
    if (showLabels) row.push(labelText(labels));
    return row;
  }

  #shows({ priority = 0 }: TableColumn): boolean {
    return this.#options.wide || priority === 0;
  }
}

/** A Table of objects for which the server made none. */
export function plainTable(body: JsonObject, now: number): Table {
  return {
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Age', type: 'string' },
    ],
    rows: itemsOf(body).map((object) => {
      const { name = '', creationTimestamp } = (object['metadata'] ?? {}) as Record<
        string,
        string | undefined
      >;
      const age =
        creationTimestamp === undefined ? '<unknown>' : humanDuration(now - Date.parse(creationTimestamp));
      return { cells: [name, age], object };
    }),
  };
}

function isName({ type, format }: TableColumn): boolean {
  return type === 'string' && format === 'name';
}

function sameColumns(a: readonly TableColumn[], b: readonly TableColumn[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, type, priority }, i) => {
      const other = b[i];
      return name === other?.name && type === other.type && priority === other.priority;
    })
  );
}

const LINE_END = /[\f\n\r]/;

/** One line of a cell. */
function cellText(cell: Json): string {
  if (cell === null) return '';
  const text = goText(cell);
  const end = text.search(LINE_END);
  return (end < 0 ? text : `${text.slice(0, end)}...`).replaceAll('\x1b', '^[');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${labels[key]}`);
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}
