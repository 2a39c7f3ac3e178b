const PADDING = 2;
/** Cells that are wider than this don't widen their column: a text of many lines would grow without bounds. */
const WIDEST = 4096;

/**
 * Sets the cells of lines under each other. A cell ends with a tab; a column is as wide as its widest cell, and reaches
 * over lines that follow each other and all have it, so that tables of one text don't widen one another.
 */
export function alignTabs(text: string): string {
  const lines = text.split('\n').map((line) => line.split('\t'));
  const open: Column[] = [];
  for (const [i, line] of lines.entries()) {
    const cells = line.length - 1;
    while (open.length > cells) close(lines, open, i);
    for (let column = 0; column < cells; column++) {
      const block = (open[column] ??= { from: i, width: 0 });
      const width = widthOf(line[column] as string);
      if (width > block.width && width <= WIDEST) block.width = width;
    }
  }
  while (open.length > 0) close(lines, open, lines.length);
  return lines.map((line) => line.join('')).join('\n');
}

/** A column that goes on: where it began, and how wide it is by now. */
interface Column {
  readonly from: number;
  width: number;
}

/** Ends the rightmost column before a line. */
function close(lines: readonly string[][], open: Column[], end: number): void {
  const { from, width } = open.pop() as Column;
  const column = open.length;
  for (let i = from; i < end; i++) {
    const line = lines[i] as string[];
    const cell = line[column] as string;
    line[column] = cell + ' '.repeat(Math.max(width - widthOf(cell), 0) + PADDING);
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
