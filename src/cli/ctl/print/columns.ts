const PADDING = 3;
const NARROWEST = 6;

/** Sets rows under each other. Widths only grow, so that pages of one table line up as far as can be known. */
export class ColumnWriter {
  readonly #widths: number[] = [];

  /** The lines of rows; the last cell of each ends its line, as it has no width to keep. */
  lines(rows: readonly (readonly string[])[]): string {
    for (const row of rows) this.#measure(row);
    return rows.map((row) => this.#line(row)).join('');
  }

  #measure(row: readonly string[]): void {
    for (let i = 0; i < row.length - 1; i++) {
      const width = Math.max(widthOf(row[i] as string) + PADDING, NARROWEST);
      if (width > (this.#widths[i] ?? 0)) this.#widths[i] = width;
    }
  }

  #line(row: readonly string[]): string {
    let line = '';
    for (let i = 0; i < row.length - 1; i++) {
      const cell = row[i] as string;
      line += cell + ' '.repeat((this.#widths[i] as number) - widthOf(cell));
    }
    return `${line}${row.at(-1) ?? ''}\n`;
  }
}

/** In characters, not UTF-16 units. */
function widthOf(text: string): number {
  let width = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xdc00 && unit <= 0xdfff) width--;
  }
  return width;
}
